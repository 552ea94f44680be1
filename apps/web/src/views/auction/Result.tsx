import { formatDuration, type RFQRequest, type RFQResult } from '@firmquote/sdk'
import type { ReactNode } from 'react'
import { useConnection } from 'wagmi'
import { auctionFormHref } from '../../routes.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Amount, Rate } from '../../ui/figures.tsx'
import { EmptyState, ErrorState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Tag } from '../../ui/Tag.tsx'
import { compareWithFloating } from './compareWithFloating.ts'
import type { LadderRow } from './judgeLadder.ts'
import styles from './Result.module.css'
import { useStartAuction } from './useStartAuction.ts'

/** What a closed auction has come to: the best that can be taken, else the best that there was. */
export function Result({ auction, pool, best }: { auction: RFQResult; pool: Pool; best: LadderRow | undefined }) {
  const shown = best?.collected ?? auction.quotes[0]
  const again = <AskAgain auction={auction} pool={pool} main={best === undefined} />
  if (!shown) {
    return (
      <Panel title="Result">
        <EmptyState title="Nobody has quoted" action={again}>
          {whatToTry(auction)}
        </EmptyState>
      </Panel>
    )
  }
  const { loanToken: token, floating } = pool
  const seconds = auction.expiry - Math.floor((auction.closedAt ?? auction.closesAt) / 1000)
  const comparison = compareWithFloating(shown.quote, pool, seconds)
  return (
    <Panel title="Result" lead={countsOf(auction)} aside={again}>
      <dl className={styles['figures']}>
        <Figure
          term="Best fixed rate"
          note={best ? <Tag tone="firm">firm</Tag> : <Tag tone="indicative">indicative</Tag>}
        >
          <Rate percent={shown.apr} tone="fixed" />
        </Figure>
        <Figure term="Total cost" note={`for ${formatDuration(seconds, { units: 1 })}, paid once`}>
          <Amount value={shown.quote.vrtAmount} token={token} />
        </Figure>
        <Figure term="Floating today" note="may change at any time">
          <Rate percent={floating.apr} tone="floating" />
        </Figure>
      </dl>
      <p className={styles['words']}>
        {comparison.text}{' '}
        <span className={styles['muted']}>
          A year of it: <Amount value={comparison.fixedPerYear} token={token} /> fixed,{' '}
          <Amount value={comparison.floatingPerYear} token={token} /> floating as of today.
          {!best && ' This quote can no longer be taken.'}
        </span>
      </p>
    </Panel>
  )
}

function Figure({ term, note, children }: { term: string; note: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>
        {children}
        <span className={styles['note']}>{note}</span>
      </dd>
    </div>
  )
}

/** The same terms once more, for the account that is connected now. */
function AskAgain({ auction, pool, main }: { auction: RFQResult; pool: Pool; main: boolean }) {
  const { poolId, seriesKey, notional, maxVrtAmount } = auction
  const { address } = useConnection()
  const { start, busy, error } = useStartAuction()
  const request: RFQRequest = {
    poolId,
    seriesKey,
    notional,
    ...(maxVrtAmount !== undefined && { maxVrtAmount }),
    ...(address !== undefined && { taker: address }),
  }
  const active = pool.series.some((series) => series.seriesKey === seriesKey)
  return (
    <div className={styles['again']}>
      <ButtonLink href={auctionFormHref({ poolId, notional, ...(active && { seriesKey }) })}>
        Change the terms
      </ButtonLink>
      {active && (
        <Button look={main ? 'main' : 'plain'} busy={busy} onClick={() => start(request)}>
          Ask again
        </Button>
      )}
      {error && <ErrorState title="No auction was opened" error={error} />}
    </div>
  )
}

function countsOf({ quotes, rejectedCount, backers }: RFQResult): string {
  const count = quotes.length === 1 ? '1 quote' : `${quotes.length} quotes`
  const refused = rejectedCount === 0 ? '' : `; ${rejectedCount} more refused by the service's checks`
  return `${count} from ${backers === 1 ? '1 backer' : `${backers} backers`}${refused}.`
}

function whatToTry({ backers, rejectedCount, maxVrtAmount }: RFQResult): string {
  if (backers === 0) return 'No backer was connected. Ask again in a while.'
  const refused =
    rejectedCount === 0
      ? ''
      : `${rejectedCount === 1 ? 'One answer was' : `${rejectedCount} answers were`} refused by the service's checks. `
  return `${refused}Try another maturity, a smaller amount${maxVrtAmount === undefined ? '' : ', or no limit to the cost'}.`
}
