import { isSignedByMaker, type QuoteState } from '@firmquote/core'
import type { QuoteStateQuery } from '@firmquote/core/chain'
import { LRUCache } from 'lru-cache'
import type { Address } from 'viem'
import type { Chain } from '../../ports/chain.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** The first pause in milliseconds; each further one of a maker is twice as long, up to the longest. */
const firstPauseMs = 5_000
const longestPauseMs = 600_000
/** Those who failed last are kept. */
const maxMakers = 10_000

/** Contract makers that are put aside: their contracts have failed in what a signature check may take. */
export type SuspendedMakers = {
  /** For how many more seconds a maker is put aside; null when it is not. */
  secondsLeft(maker: Address): number | null
  /**
   * A chain whose lists of stored quotes do not ask the contracts of makers that are put aside, and put those aside that
   * fail there. A stored quote was valid once, so its maker's contract did work: with quotes that never were valid,
   * anyone could name the contract of someone else.
   */
  guard(chain: Chain): Chain
}

/** Creates the list of makers that are put aside by this instance. */
export function createSuspendedMakers({ clock, observe }: Pick<ServiceDeps, 'clock' | 'observe'>): SuspendedMakers {
  const makers = new LRUCache<string, { until: number; pauseMs: number }>({ max: maxMakers })

  const secondsLeft = (maker: Address): number | null => {
    const left = (makers.get(maker.toLowerCase())?.until ?? 0) - clock.monotonic()
    return left > 0 ? Math.ceil(left / 1_000) : null
  }

  const suspend = (maker: Address) => {
    const key = maker.toLowerCase()
    const known = makers.get(key)
    // Several of its quotes fail in one reading.
    if (secondsLeft(maker) !== null) return
    const pauseMs = known ? Math.min(known.pauseMs * 2, longestPauseMs) : firstPauseMs
    makers.set(key, { until: clock.monotonic() + pauseMs, pauseMs })
    observe?.makerSuspended?.()
  }

  /** Its contract answers: the next failure is a first one. */
  const absolve = (maker: Address) => {
    if (secondsLeft(maker) === null) makers.delete(maker.toLowerCase())
  }

  const readGuarded = async <Reading extends { states: (QuoteState | null)[] }>(
    quotes: readonly QuoteStateQuery[],
    read: (quotes: readonly QuoteStateQuery[]) => Promise<Reading>,
  ): Promise<Reading> => {
    const isAside = quotes.map(({ preview, quote }) => preview && secondsLeft(quote.maker) !== null)
    const reading = await read(quotes.map((query, index) => (isAside[index] ? { ...query, preview: false } : query)))
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
    for (const { maker, failed } of asked) if (!failed) absolve(maker)
    for (const { maker, failed } of asked) if (failed) suspend(maker)
    return { ...reading, states }
  }

  return {
    secondsLeft,
    guard: (chain) => ({
      ...chain,
      readKnownQuotes: (quotes) => readGuarded(quotes, chain.readKnownQuotes),
      readMarkets: (request) =>
        readGuarded(request.quotes ?? [], (quotes) =>
          chain.readMarkets(request.quotes ? { ...request, quotes } : request),
        ),
    }),
  }
}

const suspendedPreview = {
  executable: false,
  reason: 'MAKER_SUSPENDED',
  borrowerCost: 0n,
  failure: 'refused',
} as const
