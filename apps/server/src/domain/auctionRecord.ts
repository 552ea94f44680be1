import {
  type CollectedQuote,
  chooseQuotes,
  comparePrices,
  formatEventId,
  type PublicRfqId,
  type RFQ,
  type RFQResult,
  type RFQStreamEvent,
} from '@firmquote/core'

/** A quote that an auction has accepted, as its row has it. */
export type AcceptedQuote = CollectedQuote & {
  /** Its place in the auction's stream: 1 for the first that was accepted. */
  seq: number
  /** When it arrived, in Unix microseconds of the auction's time: the earlier of equal prices is ranked first. */
  arrival: number
}

/** An auction as its rows have it: everything that anyone is told follows from it, on every instance of the service. */
export type AuctionRecord = {
  rfq: RFQ
  publicRfqId: PublicRfqId
  /** How many distinct backers were connected when it was opened. */
  backers: number
  /** By `seq`, without a gap. */
  quotes: readonly AcceptedQuote[]
  /** Null while it is open. */
  close: AuctionClose | null
  /** What {@link chooseBest} gives for a closed one, where it is known already. */
  best?: BestChoice
}

/** The quotes to take of a closed auction. */
export type BestChoice = NonNullable<RFQResult['best']>

/** How an auction has ended. */
export type AuctionClose = {
  /** Unix milliseconds. */
  closedAt: number
  rejectedCount: number
  /** Whether no instance was there at the deadline, so that it was closed later. */
  interrupted: boolean
}

/** Quotes best first; of equal prices the one that arrived earlier, in whatever order they were accepted. */
export function rankQuotes(quotes: readonly AcceptedQuote[]): AcceptedQuote[] {
  return [...quotes].sort((a, b) => comparePrices(a.quote, b.quote) || a.arrival - b.arrival || a.seq - b.seq)
}

/**
 * The cheapest way to fix what the auction was about, by its rows alone. Quotes of contracts that are not proven do not count:
 * they may end by the time that they are taken. Bounded, but not cheap: some milliseconds for 200 quotes that are made for it.
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
 * The result so far, its quotes best first; `best` once it is closed. `rejectedCount` is what is known of an open auction's
 * refusals.
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
    quotes: rankQuotes(quotes).map(collectedQuote),
  }
}

/** The first event of an auction's stream. */
export function startedEvent({ rfq, backers }: Pick<AuctionRecord, 'rfq' | 'backers'>): RFQStreamEvent {
  return { type: 'started', id: formatEventId({ rfqId: rfq.rfqId, seq: 0 }), data: { ...rfq, backers } }
}

/** The event of an accepted quote. */
export function quoteEvent({ rfqId }: Pick<RFQ, 'rfqId'>, quote: AcceptedQuote): RFQStreamEvent {
  return { type: 'quote', id: formatEventId({ rfqId, seq: quote.seq }), data: collectedQuote(quote) }
}

/** The last event of a closed auction's stream. */
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

/** All events so far, in their order. */
export function auctionEvents(record: AuctionRecord): RFQStreamEvent[] {
  return [
    startedEvent(record),
    ...record.quotes.map((quote) => quoteEvent(record.rfq, quote)),
    ...(record.close ? [doneEvent(record, record.close)] : []),
  ]
}

function collectedQuote({ hash, quote, apr, receivedAt, unproven }: AcceptedQuote): CollectedQuote {
  return { hash, quote, apr, receivedAt, ...(unproven && { unproven }) }
}
