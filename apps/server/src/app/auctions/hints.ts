import type { PublicRfqId, RFQBroadcast } from '@firmquote/core'
import {
  bytes32,
  decode,
  publicRfqId,
  quoteOutcome,
  rfqBroadcastShape,
  type Shape,
  unixMilliseconds,
} from '@firmquote/core/wire'
import * as z from 'zod/mini'
import type { AuctionOutcome } from '../../domain/auctionOutcome.ts'
import type { Bus } from '../../ports/bus.ts'
import type { AuctionDistances } from './auctionDistances.ts'

/** Message types between instances, by subject. */
export type Hints = {
  /** A new auction. */
  rfq: RFQBroadcast
  /** The number of quotes that an auction has accepted. */
  auction: { publicRfqId: PublicRfqId; seq: number }
  /** An auction has closed. */
  auction_result: AuctionOutcome
  /** The distances between an auction's quotes and the best one. */
  auction_distance: AuctionDistances
  /**
   * Makers expected to answer an RFQ, and makers that have answered without an accepted quote; lower-case addresses.
   * With `isAsking`, the other instances send their own hints about the RFQ.
   */
  auction_progress: { rfqId: PublicRfqId; expected: string[]; declined: string[]; isAsking?: boolean }
}

const shapes: { [Subject in keyof Hints]: Shape<Hints[Subject]> } = {
  rfq: rfqBroadcastShape,
  auction: z.object({ publicRfqId, seq: z.number() }),
  auction_result: z.object({
    rfqId: publicRfqId,
    closedAt: unixMilliseconds,
    quoteCount: z.number(),
    backers: z.record(z.string(), z.object({ outcome: quoteOutcome, hash: z.exactOptional(bytes32) })),
  }),
  auction_distance: z.object({
    rfqId: publicRfqId,
    backers: z.record(
      z.string(),
      z.object({ hash: bytes32, distance: z.enum(['within_5', 'within_25', 'within_100', 'beyond']) }),
    ),
  }),
  auction_progress: z.object({
    rfqId: publicRfqId,
    expected: z.array(z.string()),
    declined: z.array(z.string()),
    isAsking: z.exactOptional(z.boolean()),
  }),
}

/**
 * Subscribes to one subject. Hints may be lost, late, duplicated or out of order. A hint of unknown shape is ignored,
 * because another instance may run a different version.
 */
export function onHint<Subject extends keyof Hints>(
  bus: Pick<Bus, 'subscribe'>,
  subject: Subject,
  handler: (hint: Hints[Subject], payload: string) => void,
): void {
  bus.subscribe(subject, (payload) => {
    const hint = parse(payload)
    const decoded = hint === undefined ? null : decode(shapes[subject], hint)
    if (decoded?.ok) handler(decoded.value, payload)
  })
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload)
  } catch {
    return undefined
  }
}
