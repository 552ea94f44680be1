import { isSignedByMaker, type QuoteStateQuery } from '@firmquote/core/chain'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { Chain } from '../../ports/chain.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/**
 * Duration of a maker's first suspension, in milliseconds. Each further suspension lasts twice as long, up to the
 * maximum.
 */
const firstPauseMs = 5_000
const longestPauseMs = 600_000
/** Capacity of the list, which keeps the makers with the most recent failures. */
const maxMakers = 10_000

/** Contract makers suspended because their contract exceeded the limits of a signature check. */
export type SuspendedMakers = {
  /** Remaining seconds of a maker's suspension; null if it is not suspended. */
  secondsLeft(maker: Address): number | null
  /**
   * Wraps a chain so that listings of stored quotes do not call suspended makers' contracts, and a failing contract
   * suspends its maker. Only stored quotes' failures count, because those quotes were valid once: an invalid quote
   * could name any contract as its maker.
   */
  guard(chain: Chain): Chain
}

/** Creates this instance's list of suspended makers. */
export function createSuspendedMakers({ clock, observe }: Pick<ServiceDeps, 'clock' | 'observe'>): SuspendedMakers {
  const makers = new LRUCache<string, { until: number; pauseMs: number }>({ max: maxMakers })

  const secondsLeft = (maker: Address): number | null => {
    const left = (makers.get(maker.toLowerCase())?.until ?? 0) - clock.monotonic()
    return left > 0 ? Math.ceil(left / 1_000) : null
  }

  const suspend = (maker: Address) => {
    const key = maker.toLowerCase()
    const known = makers.get(key)
    // Several of a maker's quotes may fail in a single read.
    if (secondsLeft(maker) !== null) return
    const pauseMs = known ? Math.min(known.pauseMs * 2, longestPauseMs) : firstPauseMs
    makers.set(key, { until: clock.monotonic() + pauseMs, pauseMs })
    observe?.makerSuspended?.()
  }

  /** Clears a maker's failures once its contract responds. */
  const forget = (maker: Address) => {
    if (secondsLeft(maker) === null) makers.delete(maker.toLowerCase())
  }

  return {
    secondsLeft,
    guard: (chain) => ({
      ...chain,
      async readKnownQuotes(quotes) {
        const isAside = quotes.map(({ preview, quote }) => preview && secondsLeft(quote.maker) !== null)
        const reading = await chain.readKnownQuotes(
          quotes.map((query, index) => (isAside[index] ? { ...query, preview: false } : query)),
        )
        const states = reading.states.map((state, index) => {
          const { quote, signer } = quotes[index] as QuoteStateQuery
          if (!state || isSignedByMaker(quote, signer)) return state
          if (isAside[index]) return { ...state, preview: suspendedPreview }
          return state
        })
        const asked = quotes.flatMap(({ quote: { maker } }, index) => {
          const failure = isAside[index] ? null : states[index]?.preview
          return failure ? [{ maker, failed: failure.failure === 'refused' }] : []
        })
        for (const { maker, failed } of asked) if (!failed) forget(maker)
        for (const { maker, failed } of asked) if (failed) suspend(maker)
        return { ...reading, states }
      },
    }),
  }
}

const suspendedPreview = {
  executable: false,
  reason: 'MAKER_SUSPENDED',
  borrowerCost: 0n,
  failure: 'refused',
} as const
