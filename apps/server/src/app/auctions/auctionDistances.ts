import type { PublicRfqId } from '@firmquote/core'
import { auctionDistances, drawShift, type QuoteDistance } from '../../domain/auctionDistances.ts'
import { readMakerFunds } from '../makers/readMakerFunds.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** How long after its close makers are told of an auction, in milliseconds. */
export const distanceDelayMs = 60_000
/** So many auctions are remembered for it; of further ones nothing is told. */
const mostWaiting = 10_000

/** What the makers of a closed auction are told, by lower-case address. */
export type AuctionDistances = {
  rfqId: PublicRfqId
  backers: Record<string, Pick<QuoteDistance, 'hash' | 'distance'>>
}

/** Tells makers with means how far their quotes were from the best one. A hint: what is waiting ends with the process. */
export type DistanceNotifier = {
  /** Is told of an auction that was closed now, by this instance: each is told of once, with one draw for all makers. */
  closed(rfqId: PublicRfqId): void
  stop(): void
}

/** Creates the teller; auctions that are due are read one after the other. */
export function createDistanceNotifier(
  { chain, clock, store, random, log }: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'random' | 'log'>,
  tell: (distances: AuctionDistances) => void,
): DistanceNotifier {
  const timers = new Set<() => void>()
  let waiting = 0
  let stopped = false
  let reading = Promise.resolve()

  const read = async (rfqId: PublicRfqId): Promise<void> => {
    const record = await store.findAuction({ publicRfqId: rfqId })
    const distances = record ? auctionDistances(record, drawShift(random(4))) : []
    const able = record ? await withMeans(distances, record.rfq.poolId) : []
    if (stopped || able.length === 0) return
    tell({
      rfqId,
      backers: Object.fromEntries(
        able.map(({ maker, hash, distance }) => [maker.toLowerCase(), { hash, distance }] as const),
      ),
    })
  }

  /** Those whose makers could pay them, all at one block: means that are not known are none. */
  const withMeans = async (quotes: readonly QuoteDistance[], poolId: string): Promise<QuoteDistance[]> => {
    const pool = (await store.listPools()).find((known) => known.poolId === poolId)
    if (!pool || quotes.length === 0) return []
    const makers = quotes.map(({ maker }) => maker)
    const means = (await readMakerFunds(chain, makers, [pool.loanToken])).get(pool.loanToken)
    return quotes.filter(({ maker, notional }) => (means?.get(maker.toLowerCase()) ?? 0n) >= notional)
  }

  return {
    closed(rfqId) {
      if (waiting >= mostWaiting) return
      waiting += 1
      const cancel = clock.after(distanceDelayMs, () => {
        timers.delete(cancel)
        reading = reading
          .then(() => (stopped ? undefined : read(rfqId)))
          .catch((err: unknown) => log.warn({ err, rfqId }, 'the distances of an auction could not be told'))
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
