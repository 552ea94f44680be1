import { formatDuration, formatRate, quoteApr, type RFQResult } from '@firmquote/sdk'
import { useEffect, useRef } from 'react'
import { poolName } from '../../service/poolName.ts'
import { priceLimitOf } from '../../service/priceLimit.ts'
import { useServerNow } from '../../service/serverClock.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Amount, formatDay, Maturity, ShortAddress, Time } from '../../ui/figures.tsx'
import styles from './AuctionView.module.css'
import { Countdown } from './Countdown.tsx'
import { describeClose } from './compareWithFloating.ts'
import { judgeLadder } from './judgeLadder.ts'
import { Ladder } from './Ladder.tsx'
import { Result } from './Result.tsx'
import { useDocumentTitle } from './useDocumentTitle.ts'
import { type LadderStates, useLadderStates } from './useLadderStates.ts'

/** What was asked for, how long it still takes, what has come of it so far. */
export function Auction({ auction, pool }: { auction: RFQResult; pool: Pool }) {
  const { loanToken: token } = pool
  const now = useServerNow(1_000)
  const states = useLadderStates(auction.quotes)
  const limit = priceLimitOf(auction, pool)
  const ladder = judgeLadder(auction, { ...readingOf(states), limit, now: now / 1000 })
  const open = auction.status === 'open'
  useClosingWords(auction, pool)
  useDocumentTitle(titleOf(auction, now))

  return (
    <>
      <div className={styles['head']}>
        <div>
          <p className={styles['kind']}>{open ? 'Auction under way' : 'Auction closed'}</p>
          <h1>
            Fix <Amount value={auction.notional} token={token} /> until {formatDay(auction.expiry)}
          </h1>
        </div>
        <dl className={styles['terms']}>
          <Term name="Pool">{poolName(pool)}</Term>
          <Term name="Maturity">
            <Maturity expiry={auction.expiry} />
          </Term>
          <Term name="Maximum total cost">
            <Amount value={limit} token={token} />
            <span className={styles['small']}>
              {capRate(auction, limit)}
              {auction.maxVrtAmount === undefined && ', set by this page'}
            </span>
          </Term>
          <Term name="Quotes for">
            {auction.taker ? <ShortAddress address={auction.taker} /> : 'anyone'}
            {auction.taker && <span className={styles['small']}>this account alone</span>}
          </Term>
          <Term name="Asked">
            {auction.backers === 1 ? '1 maker' : `${auction.backers} makers`}
            <span className={styles['small']}>
              <Time at={auction.openedAt} />
            </span>
          </Term>
        </dl>
        {open && <Countdown openedAt={auction.openedAt} closesAt={auction.closesAt} />}
      </div>
      {!open && <Result auction={auction} pool={pool} ladder={ladder} />}
      {(open || auction.quotes.length > 0) && (
        <Ladder auction={auction} ladder={ladder} states={states} token={token} nowSeconds={now / 1000} />
      )}
    </>
  )
}

function Term({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function readingOf(states: LadderStates): Pick<Parameters<typeof judgeLadder>[1], 'borrower' | 'states' | 'current'> {
  if (states.source === 'service') return { states: null }
  const reading = states.source === 'chain' ? states : states.source === 'unknown' ? states.last : null
  return { borrower: reading?.borrower, states: reading?.states ?? new Map(), current: states.source === 'chain' }
}

/** Says aloud that an auction has closed, to who has seen it open. */
function useClosingWords(auction: RFQResult, pool: Pool): void {
  const announce = useAnnounce()
  const { status } = auction
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'open' && status === 'closed') announce(describeClose(auction.quotes, pool.loanToken))
    before.current = status
  }, [status, auction, pool, announce])
}

function titleOf({ status, closesAt, quotes }: RFQResult, now: number): string {
  if (status === 'open') return `${formatDuration(Math.max(0, closesAt - now) / 1000)} · Auction`
  return quotes[0] ? `${formatRate(quotes[0].apr)} APR · Auction` : 'No quote · Auction'
}

function capRate({ notional, expiry, openedAt }: RFQResult, cap: bigint): string {
  const at = Math.floor(openedAt / 1000)
  return expiry > at ? `${formatRate(quoteApr({ notional, vrtAmount: cap }, expiry, at))} APR` : ''
}
