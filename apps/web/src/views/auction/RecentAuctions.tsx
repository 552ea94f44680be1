import { useState } from 'react'
import { auctionHref } from '../../routes.ts'
import { tabStorage } from '../../service/browserStorage.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Amount, formatDay, Time } from '../../ui/figures.tsx'
import { Panel } from '../../ui/Panel.tsx'
import styles from './AuctionFormView.module.css'
import { loadRecentAuctions } from './recentAuctions.ts'

/** The way back to auctions that were opened in this session of the browser; nothing when there are none. */
export function RecentAuctions({ pools }: { pools: readonly Pool[] }) {
  const [auctions] = useState(() => loadRecentAuctions(tabStorage))
  const known = auctions.flatMap((auction) => {
    const pool = pools.find(({ poolId }) => poolId === auction.poolId)
    return pool ? [{ ...auction, token: pool.loanToken }] : []
  })
  if (known.length === 0) return null
  return (
    <Panel title="Your last auctions" lead="Of this browser tab; it forgets them when it is closed.">
      <ul className={styles['recent']}>
        {known.map(({ rfqId, notional, token, expiry, openedAt }) => (
          <li key={rfqId}>
            <a href={auctionHref(rfqId)}>
              <Amount value={notional} token={token} /> until {formatDay(expiry)}
            </a>
            <span className={styles['when']}>
              <Time at={openedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
