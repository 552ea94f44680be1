import { type Rejection, type RFQ, type SignedQuote, toRfqId } from '@firmquote/core'
import { type Address, numberToHex } from 'viem'
import { applyAuctionEvent } from '../src/domain/applyAuctionEvent.ts'
import type { AuctionRecord } from '../src/domain/auctionRecord.ts'
import type { AuctionEffect, AuctionEvent, AuctionState } from '../src/domain/auctionState.ts'
import { publicRfqId } from '../src/domain/rfqIds.ts'
import { closesAt, hashOf, newQuote, now, openedAt, poolId, seriesKey } from './storedQuotes.ts'

export const rfq: RFQ = {
  rfqId: toRfqId('aa'.repeat(16)),
  poolId,
  seriesKey,
  expiry: Number(now) + 86_400 * 30,
  notional: 1_000n,
  maxVrtAmount: 500n,
  openedAt,
  closesAt,
}
export const publicId = publicRfqId(rfq.rfqId)
/** The auction's rows when it opens. */
export const record: AuctionRecord = { rfq, publicRfqId: publicId, backers: 3, quotes: [], close: null }
export const opened = {
  type: 'opened',
  record,
  lifetime: { min: 20, max: 86_400 },
  announced: true,
} as const satisfies AuctionEvent
export const backers = Array.from({ length: 16 }, (_, n): Address => numberToHex(n + 1, { size: 20 }))
export const deadlineReached: AuctionEvent = { type: 'deadlineReached' }

export type Submitted = Extract<AuctionEvent, { type: 'quoteSubmitted' }>

/**
 * Creates a quote that is valid for the auction unless `terms` makes it invalid. The submission number determines the
 * quote's hash and arrival time.
 */
export function submitted(submission: number, backer: Address, terms: Partial<SignedQuote> = {}): Submitted {
  return {
    type: 'quoteSubmitted',
    submission,
    backer,
    quote: newQuote(submission, { maker: backer, ...terms }).quote,
    hash: hashOf(submission),
    arrival: openedAt * 1_000 + submission,
    now,
  }
}

/** Creates the chain's verdict on a submission. */
export function judged({ submission: id, backer }: Submitted, rejection: Rejection | null = null): AuctionEvent {
  return { type: 'quoteJudged', id, backer, rejection }
}

/** Applies events to a new auction. */
export function apply(events: readonly AuctionEvent[]): { state: AuctionState; effects: AuctionEffect[] } {
  let state: AuctionState | null = null
  const effects: AuctionEffect[] = []
  for (const event of events) {
    const next = applyAuctionEvent(state, event)
    state = next.state
    effects.push(...next.effects)
  }
  if (state === null) throw new TypeError('the auction was never opened')
  return { state, effects }
}

/** Returns the effects of a given type. */
export const effectsOf = <T extends AuctionEffect['type']>(effects: readonly AuctionEffect[], type: T) =>
  effects.filter((effect): effect is Extract<AuctionEffect, { type: T }> => effect.type === type)

/** Returns the answers' codes. */
export const codesOf = (effects: readonly AuctionEffect[]) =>
  effectsOf(effects, 'ack').map(({ verdict }) => (verdict.ok ? 'accepted' : verdict.rejection.code))
