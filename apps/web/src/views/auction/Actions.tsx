import type { Pool } from '@firmquote/react'
import type { CollectedQuote, RFQRequest, RFQResult } from '@firmquote/sdk'
import { useConnection } from 'wagmi'
import { useTexts } from '../../copy/words.ts'
import { useStartAuction } from '../../fixing/auctions/useStartAuction.tsx'
import { fixHref } from '../../routes.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import styles from './AuctionView.module.css'
import type { Outcome } from './outcome.ts'
import { termsOfRest } from './termsOfRest.ts'

/**
 * Actions after an auction has closed: request quotes for the unfixed part, for the connected account, or with other
 * terms.
 */
export function Actions(props: { auction: RFQResult; pool: Pool; taken: readonly CollectedQuote[]; outcome: Outcome }) {
  const { auction, pool, taken, outcome } = props
  const { notStarted, askAgain, quotes: texts } = useTexts().auction
  const { address } = useConnection()
  const { start, busy, error } = useStartAuction({ replace: true })
  const { poolId, seriesKey } = auction
  const isActive = pool.series.some((series) => series.seriesKey === seriesKey)
  const rest = termsOfRest(auction, taken)
  const again: RFQRequest = { poolId, seriesKey, ...rest, ...(address !== undefined && { taker: address }) }
  const isMain = outcome !== 'quotes' && outcome !== 'fixed'
  const isForRest = taken.length > 0 && outcome !== 'fixed'
  return (
    <div className={styles['actions']}>
      {isActive && (
        <Button look={isMain ? 'main' : 'plain'} busy={busy} onClick={() => start(again)}>
          {isForRest ? texts.askRest : askAgain}
        </Button>
      )}
      <ButtonLink
        look={isMain && !isActive ? 'main' : 'plain'}
        href={fixHref({ poolId, notional: rest.notional, ...(isActive && { seriesKey }) })}
      >
        {texts.change}
      </ButtonLink>
      {error && <ErrorState title={notStarted} error={error} />}
    </div>
  )
}
