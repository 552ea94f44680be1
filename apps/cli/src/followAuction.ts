import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQ, RFQRequest, RfqId } from '@firmquote/core'
import { AbortedError, type RFQAuctionEvent, type ServiceClient, StreamError } from '@firmquote/sdk'

/** What an auction tells; `interrupted` when the line broke and the result is fetched instead. */
export type AuctionEvent =
  | { [E in RFQAuctionEvent as E['type']]: { type: E['type']; data: E['data'] } }[RFQAuctionEvent['type']]
  | { type: 'interrupted'; data: { rfqId: string } }

const retryMs = 1_000
const triesAfterClose = 10

/**
 * Runs an auction and yields what it tells, until it is done. A line that breaks in between loses nothing: the auction goes
 * on without it, and its quotes are fetched when it has closed.
 *
 * @throws {StreamError} when the line broke before the auction was named, or the result cannot be had either.
 */
export async function* followAuction(
  client: Pick<ServiceClient, 'streamQuotes' | 'getRfq'>,
  request: RFQRequest,
  signal: AbortSignal,
): AsyncGenerator<AuctionEvent, void, undefined> {
  const seen = new Set<string>()
  let closesInMs = 0
  let broken: StreamError
  try {
    for await (const { type, data } of client.streamQuotes(request, { signal })) {
      if (type === 'started') closesInMs = lengthOf(data)
      if (type === 'quote') seen.add(data.hash)
      yield { type, data } as AuctionEvent
    }
    return
  } catch (error) {
    if (!(error instanceof StreamError) || error.code !== 'STREAM_INTERRUPTED' || error.rfqId === null) throw error
    broken = error
  }
  const rfqId = broken.rfqId as RfqId
  yield { type: 'interrupted', data: { rfqId } }
  // At most this long: part of it has passed when the line broke.
  const tries = Math.ceil(closesInMs / retryMs) + triesAfterClose
  for (let attempt = 0; attempt < tries; attempt++) {
    const result = await client.getRfq(rfqId, { signal })
    for (const quote of result.quotes) {
      if (seen.has(quote.hash)) continue
      seen.add(quote.hash)
      yield { type: 'quote', data: quote }
    }
    if (result.closedAt !== null) {
      const { closedAt, rejectedCount, quotes } = result
      const ranking = quotes.map(({ hash }) => hash)
      yield { type: 'done', data: { rfqId, closedAt, quoteCount: quotes.length, rejectedCount, ranking } }
      return
    }
    await sleep(retryMs, undefined, { signal }).catch((cause: unknown) => {
      throw new AbortedError({ sent: 'maybe', cause })
    })
  }
  throw broken
}

function lengthOf({ openedAt, closesAt }: RFQ): number {
  return Math.min(600_000, Math.max(0, closesAt - openedAt))
}
