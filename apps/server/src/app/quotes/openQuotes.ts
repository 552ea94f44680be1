import type { Clock } from '@firmquote/core'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { Store } from '../../ports/store.ts'

/** How long a count is used, in milliseconds: quotes that a reorganisation has reopened are in the next one. */
const maxAgeMs = 1_000
const maxMakers = 10_000

/** The numbers of published, active quotes by maker. */
export type OpenQuotes = {
  /**
   * A number that needs few queries for a maker who publishes often: a recent count, and what was added here since. It spares judging
   * what would be refused; where other instances publish too it may be too low for a second, and the store refuses what is too many.
   */
  estimate(maker: Address, now: bigint): Promise<number>
  /** The exact number; `now` is Unix seconds. */
  count(maker: Address, now: bigint): Promise<number>
  /** Adds a quote that is in the store now. */
  added(maker: Address): void
  /** Takes over what the store has counted when it refused one more. */
  refused(maker: Address, open: number): void
}

/** Creates the counter of one instance; every publication here must be passed to `added`. */
export function createOpenQuotes(store: Pick<Store, 'countQuotes'>, clock: Pick<Clock, 'monotonic'>): OpenQuotes {
  type Entry = { countedAt: number; counted: Promise<number>; added: number }
  const entries = new LRUCache<string, Entry>({ max: maxMakers })

  const countAgain = (maker: Address, now: bigint): Entry => {
    const entry = { countedAt: clock.monotonic(), counted: store.countQuotes(maker, now), added: 0 }
    const key = maker.toLowerCase()
    entries.set(key, entry)
    // The caller gets the rejection; the next call counts again.
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
