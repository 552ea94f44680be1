import type { PublicRfqId } from '@firmquote/core'
import { auctionDistances, drawShift, type QuoteDistance } from '../../domain/auctionDistances.ts'
import { readMakerFunds } from '../makers/readMakerFunds.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** Milliseconds between an auction's close and the distance messages to its makers. */
export const distanceDelayMs = 60_000
/** Capacity of the queue of closed auctions. No distances are sent for auctions that close while the queue is full. */
const maxWaiting = 10_000

/** The distances to send, keyed by lower-case maker address. */
export type AuctionDistances = {
  rfqId: PublicRfqId
  backers: Record<string, Pick<QuoteDistance, 'hash' | 'distance'>>
}

/**
 * Tells makers with sufficient funds how far their quotes were from the best one. Best effort: the queue is lost when
 * the process exits.
 */
export type DistanceNotifier = {
  /**
   * Queues an auction just closed by this instance. Its distances are sent once, all with the same random shift.
   */
  closed(rfqId: PublicRfqId): void
  stop(): void
}

/** Creates the notifier, which processes due auctions one at a time. */
export function createDistanceNotifier(
  { chain, clock, store, random, log }: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'random' | 'log'>,
  send: (distances: AuctionDistances) => void,
): DistanceNotifier {
  const timers = new Set<() => void>()
  let waiting = 0
  let stopped = false
  let reading = Promise.resolve()

  const read = async (rfqId: PublicRfqId): Promise<void> => {
    const record = await store.findAuction({ publicRfqId: rfqId })
    const distances = record ? auctionDistances(record, drawShift(random(4))) : []
    const able = record ? await withFunds(distances, record.rfq.poolId) : []
    if (stopped || able.length === 0) return
    send({
      rfqId,
      backers: Object.fromEntries(
        able.map(({ maker, hash, distance }) => [maker.toLowerCase(), { hash, distance }] as const),
      ),
    })
  }

  /**
   * Returns the quotes whose makers have sufficient funds, all read at a single block. Unknown funds are treated as 0.
   */
  const withFunds = async (quotes: readonly QuoteDistance[], poolId: string): Promise<QuoteDistance[]> => {
    const pool = (await store.listPools()).find((known) => known.poolId === poolId)
    if (!pool || quotes.length === 0) return []
    const makers = quotes.map(({ maker }) => maker)
    const funds = (await readMakerFunds(chain, makers, [pool.loanToken])).get(pool.loanToken)
    return quotes.filter(({ maker, notional }) => (funds?.get(maker.toLowerCase()) ?? 0n) >= notional)
  }

  return {
    closed(rfqId) {
      if (waiting >= maxWaiting) return
      waiting += 1
      const cancel = clock.after(distanceDelayMs, () => {
        timers.delete(cancel)
        reading = reading
          .then(() => (stopped ? undefined : read(rfqId)))
          .catch((err: unknown) => log.warn({ err, rfqId }, 'failed to send auction distances'))
          .finally(() => {
            waiting -= 1
          })
      })
      timers.add(cancel)
    },
    stop() {
      stopped = true
      for (const cancel of timers) cancel()
    },
  }
}
