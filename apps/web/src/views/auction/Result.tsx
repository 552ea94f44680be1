import { type CollectedQuote, formatDuration, quoteApr, type RFQRequest, type RFQResult } from '@firmquote/sdk'
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
import type { AuctionLadder, LadderRow } from './judgeLadder.ts'
import styles from './Result.module.css'
import { useStartAuction } from './useStartAuction.ts'

/** What a closed auction has come to: the best that can be taken, else the best that there was. */
export function Result({ auction, pool, ladder }: { auction: RFQResult; pool: Pool; ladder: AuctionLadder }) {
  const { address } = useConnection()
  const { start, busy, error } = useStartAuction()
  const { poolId, seriesKey, notional, maxVrtAmount } = auction
  const { best, taken } = ladder
  const shown = best[0]?.collected ?? auction.quotes[0]
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
        <Button look={shown && best.length === 0 ? 'main' : 'plain'} busy={busy} onClick={() => start(again)}>
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
        <>
          <Outcome auction={auction} pool={pool} shown={shown} best={best} />
          {best.length > 1 && (
            <p className={styles['words']}>
              With {best.length} quotes, taken one after the other:{' '}
              <Amount value={sizeOf(best)} token={pool.loanToken} /> together.
            </p>
          )}
          {taken.length > 0 && <Fixed auction={auction} pool={pool} taken={taken} />}
        </>
      ) : (
        <EmptyState title="Nobody has quoted" action={actions}>
          {whatToTry(auction)}
        </EmptyState>
      )}
    </Panel>
  )
}

/** What the best quote costs, beside the floating rate. */
function Outcome(props: { auction: RFQResult; pool: Pool; shown: CollectedQuote; best: readonly LadderRow[] }) {
  const { auction, pool, shown, best } = props
  const { loanToken: token, floating } = pool
  const seconds = Math.max(1, auction.expiry - Math.floor((auction.closedAt ?? auction.closesAt) / 1000))
  const price = best.length > 1 ? priceOf(best.map(({ collected }) => collected)) : shown.quote
  const apr = best.length > 1 ? quoteApr(price, auction.expiry, auction.expiry - seconds) : shown.apr
  const { text, fixedPerYear, floatingPerYear } = compareWithFloating(price, pool, seconds)
  return (
    <>
      <dl className={styles['figures']}>
        <Figure term="Best fixed rate" note={standingOf(best[0])}>
          <Rate percent={apr} {...(best.length > 0 && { tone: 'fixed' })} />
        </Figure>
        <Figure term="Total cost" note={`for ${formatDuration(seconds, { units: 1 })}, paid once`}>
          <Amount cost value={price.vrtAmount} token={token} />
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

/** How much of what was asked for is fixed, in how many takes, at which rate. */
function Fixed({ auction, pool, taken }: { auction: RFQResult; pool: Pool; taken: readonly CollectedQuote[] }) {
  const price = priceOf(taken)
  const at = Math.floor((auction.closedAt ?? auction.closesAt) / 1000)
  return (
    <p className={styles['words']}>
      Fixed: <Amount value={price.notional} token={pool.loanToken} /> of{' '}
      <Amount value={auction.notional} token={pool.loanToken} /> in{' '}
      {taken.length === 1 ? '1 take' : `${taken.length} takes`}
      {auction.expiry > at && (
        <>
          , at <Rate percent={quoteApr(price, auction.expiry, at)} tone="fixed" />
        </>
      )}{' '}
      for <Amount cost value={price.vrtAmount} token={pool.loanToken} />.
    </p>
  )
}

function priceOf(quotes: readonly CollectedQuote[]): { notional: bigint; vrtAmount: bigint } {
  return {
    notional: quotes.reduce((sum, { quote }) => sum + quote.notional, 0n),
    vrtAmount: quotes.reduce((sum, { quote }) => sum + quote.vrtAmount, 0n),
  }
}

function sizeOf(rows: readonly LadderRow[]): bigint {
  return priceOf(rows.map(({ collected }) => collected)).notional
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
  return `${refused}Try another maturity, a smaller amount${maxVrtAmount === undefined ? '' : ', or a higher limit'}.`
}
