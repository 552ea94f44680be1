import type { Clock } from '@firmquote/core'
import type { Address } from 'viem'
import type { Store } from '../../ports/store.ts'

/** How long a count is good for, in milliseconds: quotes that a reorganized chain has opened again are in the next one. */
const longest = 1_000
const mostMakers = 10_000

/** How many published, active quotes makers have. */
export type OpenQuotes = {
  /** Never fewer than there are, and little work for a maker who sends many: a count of a moment ago and what has come since. */
  atMost(maker: Address, now: bigint): Promise<number>
  /** Exactly; `now` is Unix seconds. */
  count(maker: Address, now: bigint): Promise<number>
  /** Notes one that is in the store now. */
  added(maker: Address): void
}

/** Creates the counter of one store, which must hear of everything that is published there. */
export function createOpenQuotes(store: Pick<Store, 'countQuotes'>, clock: Pick<Clock, 'monotonic'>): OpenQuotes {
  type Entry = { readAt: number; counted: Promise<number>; added: number }
  const entries = new Map<string, Entry>()

  const read = (maker: Address, now: bigint): Entry => {
    const entry = { readAt: clock.monotonic(), counted: store.countQuotes(maker, now), added: 0 }
    if (entries.size >= mostMakers) entries.clear()
    const key = maker.toLowerCase()
    entries.set(key, entry)
    // Whoever waits for it hears of the failure; the next one asks again.
    entry.counted.catch(() => {
      if (entries.get(key) === entry) entries.delete(key)
    })
    return entry
  }

  return {
    async atMost(maker, now) {
      const known = entries.get(maker.toLowerCase())
      const entry = known && clock.monotonic() - known.readAt < longest ? known : read(maker, now)
      return (await entry.counted) + entry.added
    },
    count: (maker, now) => read(maker, now).counted,
    added(maker) {
      const entry = entries.get(maker.toLowerCase())
      if (entry) entry.added += 1
    },
  }
}
