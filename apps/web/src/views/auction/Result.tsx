import { type CollectedQuote, formatDuration, type RFQRequest, type RFQResult } from '@firmquote/sdk'
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
  const { address } = useConnection()
  const { start, busy, error } = useStartAuction()
  const { poolId, seriesKey, notional, maxVrtAmount } = auction
  const shown = best?.collected ?? auction.quotes[0]
  const active = pool.series.some((series) => series.seriesKey === seriesKey)
  // The same terms, for the account that is connected now.
  const again: RFQRequest = {
    poolId,
    seriesKey,
    notional,
    ...(maxVrtAmount !== undefined && { maxVrtAmount }),
    ...(address !== undefined && { taker: address }),
  }
  const actions = (
    <div className={styles['actions']}>
      <ButtonLink
        look={shown ? 'plain' : 'main'}
        href={auctionFormHref({ poolId, notional, ...(active && { seriesKey }) })}
      >
        Change the terms
      </ButtonLink>
      {active && (
        <Button look={shown && !best ? 'main' : 'plain'} busy={busy} onClick={() => start(again)}>
          Ask again
        </Button>
      )}
    </div>
  )
  return (
    <Panel title="Result" lead={shown && countsOf(auction)} aside={shown && actions}>
      {error && (
        <div className={styles['refusal']}>
          <ErrorState title="The auction could not be started" error={error} />
        </div>
      )}
      {auction.interrupted && <Late />}
      {shown ? (
        <Outcome auction={auction} pool={pool} shown={shown} best={best} />
      ) : (
        <EmptyState title="Nobody has quoted" action={actions}>
          {whatToTry(auction)}
        </EmptyState>
      )}
    </Panel>
  )
}

/** What the best quote costs, beside the floating rate. */
function Outcome(props: { auction: RFQResult; pool: Pool; shown: CollectedQuote; best: LadderRow | undefined }) {
  const { auction, pool, shown, best } = props
  const { loanToken: token, floating } = pool
  const seconds = Math.max(1, auction.expiry - Math.floor((auction.closedAt ?? auction.closesAt) / 1000))
  const { text, fixedPerYear, floatingPerYear } = compareWithFloating(shown.quote, pool, seconds)
  return (
    <>
      <dl className={styles['figures']}>
        <Figure term="Best fixed rate" note={standingOf(best)}>
          <Rate percent={shown.apr} {...(best && { tone: 'fixed' })} />
        </Figure>
        <Figure term="Total cost" note={`for ${formatDuration(seconds, { units: 1 })}, paid once`}>
          <Amount cost value={shown.quote.vrtAmount} token={token} />
        </Figure>
        <Figure term="Floating today" note="may change at any time">
          <Rate percent={floating.apr} tone="floating" />
        </Figure>
      </dl>
      <p className={styles['words']}>
        {text}{' '}
        <span className={styles['muted']}>
          A year of it: <Amount value={fixedPerYear} token={token} /> fixed,{' '}
          <Amount value={floatingPerYear} token={token} /> floating as of today.
        </span>
      </p>
    </>
  )
}

function standingOf(best: LadderRow | undefined): ReactNode {
  if (!best) {
    return (
      <>
        <Tag tone="indicative">indicative</Tag> can no longer be taken
      </>
    )
  }
  return best.basis === 'none' ? 'not checked now' : <Tag tone="firm">firm</Tag>
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

function countsOf({ quotes, rejectedCount, backers }: RFQResult): string {
  const count = quotes.length === 1 ? '1 quote' : `${quotes.length} quotes`
  const refused = rejectedCount === 0 ? '' : `; ${rejectedCount} more refused by the service's checks`
  return `${count} from ${backers === 1 ? '1 maker' : `${backers} makers`}${refused}.`
}

/** Says that an auction has closed later than it had promised. */
function Late() {
  return (
    <p className={styles['words']}>
      The service was down when this auction was to close. It closed later, with the quotes that it had accepted.
    </p>
  )
}

function whatToTry({ backers, rejectedCount, maxVrtAmount }: RFQResult): string {
  if (backers === 0) return 'No maker was connected. Ask again in a while.'
  const refused =
    rejectedCount === 0
      ? ''
      : `${rejectedCount === 1 ? 'One answer was' : `${rejectedCount} answers were`} refused by the service's checks. `
  return `${refused}Try another maturity, a smaller amount${maxVrtAmount === undefined ? '' : ', or no limit to the cost'}.`
}
