import {
  type BlockRef,
  type CollectedQuote,
  chooseQuotes,
  comparePrices,
  type PublicRfqId,
  quoteEffectiveApy,
  type RFQ,
  type RFQResult,
  type RFQStreamEvent,
} from '@firmquote/core'
import { formatEventId } from '@firmquote/core/protocol'
import type { Hex } from 'viem'
import { rateTime } from './rateTime.ts'

/** A quote accepted by an auction, as stored. `status` is as of the last read. */
export type AcceptedQuote = Omit<CollectedQuote, 'effectiveApy'> & {
  /** The quote's position in the auction's stream. The first accepted quote is at position 1. */
  seq: number
  /** Arrival time, in Unix microseconds of auction time. At equal prices, the earlier arrival ranks first. */
  arrival: number
  /** The block at which the quote was judged. Absent in auctions that are not provable. */
  block?: QuoteBlock
}

/** A quote's leaf in its auction's transcript: its index, and its hash. */
export type QuoteLeaf = { seq: number; hash: Hex }

/** A block by number and hash. */
export type QuoteBlock = Pick<BlockRef, 'number' | 'hash'>

/** An auction as stored. On every instance, all that clients see of an auction is derived from this record. */
export type AuctionRecord = {
  rfq: RFQ
  publicRfqId: PublicRfqId
  /** The number of distinct backers connected when the auction opened. */
  backers: number
  /** Ordered by `seq`, without gaps. */
  quotes: readonly AcceptedQuote[]
  /** Null while the auction is open. */
  close: AuctionClose | null
  /** A closed auction's {@link chooseBest} result, if already computed. */
  best?: BestChoice
}

/** The quotes to take after the close. */
export type BestChoice = NonNullable<RFQResult['best']>

/** How an auction ended. */
export type AuctionClose = {
  /** Unix milliseconds. */
  closedAt: number
  rejectedCount: number
  /** Whether no instance was running at the deadline, which delayed the close. */
  interrupted: boolean
}

/** Sorts quotes best first. Ties are broken by arrival, not by acceptance. */
export function rankQuotes(quotes: readonly AcceptedQuote[]): AcceptedQuote[] {
  return [...quotes].sort((a, b) => comparePrices(a.quote, b.quote) || a.arrival - b.arrival || a.seq - b.seq)
}

/**
 * Chooses the cheapest way to fix the auction's notional, using only its rows. Quotes from unproven contracts do not
 * count, because they may become invalid before the borrower takes them. The computation is bounded but not cheap:
 * several milliseconds for 200 adversarial quotes.
 */
export function chooseBest({ rfq, quotes }: Pick<AuctionRecord, 'rfq' | 'quotes'>): BestChoice {
  const { notional, maxVrtAmount } = rfq
  const chosen = chooseQuotes(
    quotes.filter(({ unproven }) => !unproven).map(({ hash, quote }) => ({ ...quote, hash })),
    { notional, ...(maxVrtAmount !== undefined && { maxVrtAmount }) },
  )
  return { hashes: chosen.quotes.map(({ hash }) => hash), notional: chosen.notional, cost: chosen.cost }
}

/**
 * The result so far, quotes best first; `best` is present only after the close. For an open auction, `rejectedCount` is
 * the number of refusals known so far.
 */
export function auctionResult(record: AuctionRecord, rejectedCount = 0): RFQResult {
  const { rfq, backers, quotes, close } = record
  return {
    ...rfq,
    status: close ? 'closed' : 'open',
    closedAt: close?.closedAt ?? null,
    backers,
    rejectedCount: close ? close.rejectedCount : rejectedCount,
    ...(close?.interrupted && { interrupted: true }),
    ...(close && { best: record.best ?? chooseBest(record) }),
    quotes: rankQuotes(quotes).map((quote) => collectedQuote(rfq, quote)),
  }
}

/**
 * Like {@link auctionResult}, with the statuses of quotes that have ended. A quote that its taker has filled early stays
 * in the result.
 */
export function resultWithStatuses(record: AuctionRecord, rejectedCount = 0): RFQResult {
  const statuses = new Map(record.quotes.map(({ hash, status }) => [hash, status]))
  const result = auctionResult(record, rejectedCount)
  const withStatus = (quote: CollectedQuote): CollectedQuote => {
    const status = statuses.get(quote.hash)
    return { ...quote, ...(status && { status }) }
  }
  return { ...result, quotes: result.quotes.map(withStatus) }
}

/** The first event in an auction's stream. */
export function startedEvent({ rfq, backers }: Pick<AuctionRecord, 'rfq' | 'backers'>): RFQStreamEvent {
  return { type: 'started', id: formatEventId({ rfqId: rfq.rfqId, seq: 0 }), data: { ...rfq, backers } }
}

/** The event for an accepted quote. */
export function quoteEvent(rfq: Pick<RFQ, 'rfqId' | 'expiry'>, quote: AcceptedQuote): RFQStreamEvent {
  return { type: 'quote', id: formatEventId({ rfqId: rfq.rfqId, seq: quote.seq }), data: collectedQuote(rfq, quote) }
}

/** The last event in a closed auction's stream. */
export function doneEvent(record: AuctionRecord, close: AuctionClose): RFQStreamEvent {
  const { rfq, quotes, best = chooseBest(record) } = record
  const { rfqId } = rfq
  return {
    type: 'done',
    id: formatEventId({ rfqId, seq: quotes.length + 1 }),
    data: {
      rfqId,
      closedAt: close.closedAt,
      quoteCount: quotes.length,
      rejectedCount: close.rejectedCount,
      ...(close.interrupted && { interrupted: true }),
      best,
      ranking: rankQuotes(quotes).map(({ hash }) => hash),
    },
  }
}

/** All events so far, in order. */
export function auctionEvents(record: AuctionRecord): RFQStreamEvent[] {
  return [
    startedEvent(record),
    ...record.quotes.map((quote) => quoteEvent(record.rfq, quote)),
    ...(record.close ? [doneEvent(record, record.close)] : []),
  ]
}

function collectedQuote({ expiry }: Pick<RFQ, 'expiry'>, accepted: AcceptedQuote): CollectedQuote {
  const { hash, quote, apr, receivedAt, unproven } = accepted
  const effectiveApy = quoteEffectiveApy(quote, expiry, rateTime(receivedAt, expiry))
  return { hash, quote, apr, effectiveApy, receivedAt, ...(unproven && { unproven }) }
}
