import type { Pool } from '@firmquote/react'
import { useState } from 'react'
import { useWords } from '../../copy/words.ts'
import { loadRecentAuctions } from '../../fixing/auctions/recentAuctions.ts'
import { auctionHref } from '../../routes.ts'
import { tabStorage } from '../../service/browserStorage.ts'
import { Amount, Time } from '../../ui/figures.tsx'
import { Section } from '../../ui/Panel.tsx'
import styles from './RecentAuctions.module.css'

/** Links to auctions opened in this tab. Renders nothing if there are none. */
export function RecentAuctions({ pools }: { pools: readonly Pool[] }) {
  const { texts, formats } = useWords()
  const { recent } = texts.home
  const [auctions] = useState(() => loadRecentAuctions(tabStorage))
  const known = auctions.flatMap((auction) => {
    const pool = pools.find(({ poolId }) => poolId === auction.poolId)
    return pool ? [{ ...auction, token: pool.loanToken }] : []
  })
  if (known.length === 0) return null
  return (
    <Section title={recent.title}>
      <ul className={styles['recent']}>
        {known.map(({ rfqId, notional, token, expiry, openedAt }) => (
          <li key={rfqId}>
            <a href={auctionHref(rfqId)}>
              {texts.common.amountUntil(<Amount value={notional} token={token} />, formats.day(expiry))}
            </a>
            <span className={styles['when']}>
              <Time at={openedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
