import type { Clock } from '@firmquote/core/utils'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { Store } from '../../ports/store.ts'

/**
 * Milliseconds for which a count from the store is reused. The next count includes quotes reopened by a reorganisation.
 */
const maxAgeMs = 1_000
const maxMakers = 10_000

/** Counts each maker's published, active quotes. */
export type OpenQuotes = {
  /**
   * Estimates a maker's open quotes from a recent count and the quotes added here since, so that a maker who publishes
   * often causes few queries. The estimate avoids judging quotes that the limit would refuse. It may be too low for up
   * to a second, but the store enforces the limit.
   */
  estimate(maker: Address, now: bigint): Promise<number>
  /** Returns the exact number. `now` is Unix seconds. */
  count(maker: Address, now: bigint): Promise<number>
  /** Adds a quote that was just stored. */
  added(maker: Address): void
  /** Replaces the estimate with the count that the store returned when refusing a quote. */
  refused(maker: Address, open: number): void
}

/** Creates one instance's counter. The caller must report every quote published here to `added`. */
export function createOpenQuotes(store: Pick<Store, 'countQuotes'>, clock: Pick<Clock, 'monotonic'>): OpenQuotes {
  type Entry = { countedAt: number; counted: Promise<number>; added: number }
  const entries = new LRUCache<string, Entry>({ max: maxMakers })

  const countAgain = (maker: Address, now: bigint): Entry => {
    const entry = { countedAt: clock.monotonic(), counted: store.countQuotes(maker, now), added: 0 }
    const key = maker.toLowerCase()
    entries.set(key, entry)
    // The caller handles the rejection, and the next call counts again.
    entry.counted.catch(() => {
      if (entries.peek(key) === entry) entries.delete(key)
    })
    return entry
  }

  return {
    async estimate(maker, now) {
      const known = entries.get(maker.toLowerCase())
      const entry = known && clock.monotonic() - known.countedAt < maxAgeMs ? known : countAgain(maker, now)
      return (await entry.counted) + entry.added
    },
    count: (maker, now) => countAgain(maker, now).counted,
    added(maker) {
      const entry = entries.get(maker.toLowerCase())
      if (entry) entry.added += 1
    },
    refused(maker, open) {
      const entry = { countedAt: clock.monotonic(), counted: Promise.resolve(open), added: 0 }
      entries.set(maker.toLowerCase(), entry)
    },
  }
}
