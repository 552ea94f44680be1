import {
  type BorrowerClient,
  InvalidResponseError,
  type RFQAuctionEvent,
  type RFQRequest,
  type RfqId,
} from '@firmquote/sdk'
import type { QueryClient } from '@tanstack/react-query'
import { type AuctionState, foldAuction } from './foldAuction.ts'
import { queryKeys } from './queryKeys.ts'

// Auctions are module state, so they continue after a view unmounts. An auction's events update the cache entry of
// `auctionQuery`.

// The service sends data at least every 5 seconds, so after a longer silence, the connection is dead. The margin above
// that interval is small because auctions are short.
const idleTimeoutMs = 8_000

const opening = new Map<string, Promise<string>>()
const streamed = new Set<string>()

/** Whether an auction's stream is open, so that its state need not be polled. */
export function isStreamed(rfqId: string): boolean {
  return streamed.has(rfqId)
}

/** An auction's query key. */
export function auctionKey(rfqId: string): readonly unknown[] {
  return [...queryKeys.auction, rfqId]
}

/**
 * Opens an auction and follows its stream, even after the view unmounts. While a request is pending, an identical one
 * joins the same auction.
 *
 * @returns The auction's id, once it has started.
 * @throws The errors of `streamQuotes`, until the auction has started.
 */
export function startAuction(client: BorrowerClient, cache: QueryClient, request: RFQRequest): Promise<string> {
  const { orderbookUrl } = client.getConfig()
  const key = JSON.stringify({ orderbookUrl, request }, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
  const before = opening.get(key)
  if (before) return before
  const started = open(client, cache, request).finally(() => opening.delete(key))
  opening.set(key, started)
  return started
}

/**
 * Follows an auction that was opened elsewhere or before a reload. Does nothing if the auction is already followed.
 */
export function followAuction(client: BorrowerClient, cache: QueryClient, rfqId: RfqId): void {
  if (!isStreamed(rfqId)) void follow(client.followAuction(rfqId, { idleTimeoutMs }), cache, rfqId)
}

async function open(client: BorrowerClient, cache: QueryClient, request: RFQRequest): Promise<string> {
  const events = client.streamQuotes(request, { idleTimeoutMs })
  const { value: first } = await events.next()
  if (first?.type !== 'started') throw new InvalidResponseError('The stream does not begin with its auction.')
  const { rfqId } = first.data
  fold(cache, rfqId, first)
  void follow(events, cache, rfqId)
  return rfqId
}

async function follow(events: AsyncIterable<RFQAuctionEvent>, cache: QueryClient, rfqId: string): Promise<void> {
  streamed.add(rfqId)
  try {
    for await (const event of events) fold(cache, rfqId, event)
  } catch {
    // The stream could not be resumed, so the auction's query starts polling.
    void cache.invalidateQueries({ queryKey: auctionKey(rfqId) })
  } finally {
    streamed.delete(rfqId)
  }
}

function fold(cache: QueryClient, rfqId: string, event: RFQAuctionEvent): void {
  cache.setQueryData<AuctionState>(auctionKey(rfqId), (auction) => foldAuction(auction, event))
}
