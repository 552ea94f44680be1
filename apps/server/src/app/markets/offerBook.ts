// Why: docs/decisions/0033-rates-at-a-size.md

import type { QuoteState, SignedQuote } from '@firmquote/core'
import { judgeState, type MarketStates } from '@firmquote/core/chain'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { minNotionalOf } from '../../domain/minNotionalOf.ts'
import { fundsOf, type Offer } from '../../domain/openNotional.ts'
import type { Series } from '../../ports/chain.ts'
import type { OfferFilters } from '../../ports/store.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { Bans } from '../control/bans.ts'
import type { QuoteStateQueries } from '../quotes/quoteStateQueries.ts'
import type { UnfundedMakers } from '../quotes/unfundedMakers.ts'
import type { UnprovenMakers } from '../quotes/unprovenMakers.ts'
import type { ServiceDeps } from '../serviceDeps.ts'

/** An unexpired series. Amounts are in raw units of the loan token. */
export type OpenSeries = Series & {
  /** The remaining capacity. */
  capacity: bigint
  /** The smallest notional that can be quoted. */
  minNotional: bigint
  /** Default size for measuring rates: 1 % of the capacity, and at least the smallest notional. */
  defaultSize: bigint
}

/** All pools' markets with their unexpired series, and the quote states read since. */
export type MarketSnapshot = {
  reading: MarketStates
  series: readonly OpenSeries[]
  /** Unix seconds: the later of the wall clock and the block time, which determines expiry as in `judgeState`. */
  time: bigint
  /** By hash and signature. Null if the node could not read the state. */
  states: Map<string, QuoteState | null>
}

/** An instance's view of executable public offers. */
export type OfferBook = {
  /** The markets, up to a second old. Callers within that second share the snapshot and the states read for it. */
  snapshot(): Promise<MarketSnapshot>
  /**
   * The executable offers that fix at least half of a size (raw units) but no more than all of it, by series, among the
   * best ones.
   *
   * @throws {ChainUnavailableError} if the chain cannot be read.
   */
  offersAt(
    snapshot: MarketSnapshot,
    sizes: ReadonlyMap<OpenSeries, bigint>,
  ): Promise<ReadonlyMap<Hex, readonly Offer[]>>
}

type Candidate = { quote: SignedQuote; hash: Hex }

/** Divisor of a series' remaining capacity for the default size. */
const sizeDivisor = 100n
/** Lifetime of a snapshot, in milliseconds. */
const freshMs = 1_000
/** Maximum number of quotes read per call, per series, and per maker in a series. */
const maxQuotes = 1_000
const quotesOfSeries = { least: 10, most: 100 }
const quotesOfMaker = 20
/** Maximum number of reads per call. Each read skips the makers whose candidates failed in the previous one. */
const maxReads = 3

/** Creates the book. */
export function createOfferBook(
  deps: Pick<ServiceDeps, 'chain' | 'clock' | 'store' | 'limits'> & {
    quoteStateQueries: QuoteStateQueries
    unprovenMakers: UnprovenMakers
    unfundedMakers: UnfundedMakers
    bans: Pick<Bans, 'makers' | 'rejection'>
  },
): OfferBook {
  const { chain, clock, store, quoteStateQueries, unprovenMakers, unfundedMakers, limits, bans } = deps
  const dustRule = { divisor: limits.dustDivisor, limits: limits.dustLimits }
  let latest: { at: number; snapshot: Promise<MarketSnapshot> } | null = null

  const readSnapshot = async (): Promise<MarketSnapshot> => {
    const now = chainNow(clock)
    const [pools, all] = await Promise.all([store.listPools(), store.listSeries()])
    const series = all.filter(({ expiry }) => BigInt(expiry) > now)
    const seriesKeys = series.map(({ seriesKey }) => seriesKey)
    const reading = await chain.readMarkets({ pools, seriesKeys, terms: true })
    let time = reading.block.timestamp
    if (now > time) time = now
    const tokens = new Map(pools.map(({ poolId, loanToken }) => [poolId, loanToken]))
    const open = series.flatMap((one): OpenSeries[] => {
      if (BigInt(one.expiry) <= time) return []
      const capacity = reading.capacities.get(one.seriesKey) ?? 0n
      const minNotional = minNotionalOf({ cap: one.cap, loanToken: tokens.get(one.poolId) ?? zeroAddress }, dustRule)
      const share = capacity / sizeDivisor
      return [{ ...one, capacity, minNotional, defaultSize: share > minNotional ? share : minNotional }]
    })
    return { reading, series: open, time, states: new Map() }
  }

  /**
   * Lists a series' best quotes without a designated taker for a size: published quotes, and quotes from recent
   * auctions.
   */
  const listCandidates = async (
    { seriesKey }: Series,
    given: Omit<OfferFilters, 'seriesKey' | 'least'> & { skips: (maker: Address) => boolean; now: bigint },
  ): Promise<Candidate[]> => {
    const { skips, now, ...filters } = given
    const { most, perMaker, limit } = filters
    const least = leastOf(most)
    const offers: Candidate[] = await store.listOffers({ seriesKey, least, ...filters }, now)
    const observed = await store.listObservations({ seriesKey, limit })
    const byHash = new Map(offers.map((offer) => [offer.hash, offer]))
    const counts = new Map<string, number>()
    for (const { quote } of offers) counts.set(quote.maker, (counts.get(quote.maker) ?? 0) + 1)
    for (const candidate of observed) {
      const { maker, notional, deadline, taker } = candidate.quote
      const count = counts.get(maker) ?? 0
      const fits = notional >= least && notional <= most && deadline >= now && isAddressEqual(taker, zeroAddress)
      if (!fits || byHash.has(candidate.hash) || count >= perMaker || skips(maker)) continue
      counts.set(maker, count + 1)
      byHash.set(candidate.hash, candidate)
    }
    return [...byHash.values()]
  }

  /** The counted executable candidates, by series. */
  const readOffers = async ({ states, time }: MarketSnapshot, candidates: readonly Candidate[]) => {
    const queries = await quoteStateQueries(candidates)
    const keys = candidates.map(({ quote, hash }) => `${hash}${quote.signature}`)
    const unread = queries.filter((_, index) => !states.has(keys[index] ?? ''))
    const [read, unproven] = await Promise.all([
      unread.length > 0 ? chain.readKnownQuotes(unread) : { states: [] },
      unprovenMakers(queries),
    ])
    for (const [index, { quote, hash }] of unread.entries()) {
      states.set(`${hash}${quote.signature}`, read.states[index] ?? null)
    }
    const offers = new Map<Hex, Offer[]>()
    candidates.forEach(({ quote }, index) => {
      const state = states.get(keys[index] ?? '')
      if (!state || unproven[index] || judgeState(quote, state, time) !== null) return
      const { maker, notional, vrtAmount, seriesKey } = quote
      offers.set(seriesKey, [...(offers.get(seriesKey) ?? []), { maker, notional, vrtAmount, funds: fundsOf(state) }])
    })
    return offers
  }

  return {
    snapshot() {
      const at = clock.monotonic()
      if (latest && at - latest.at < freshMs) return latest.snapshot
      const entry = { at, snapshot: readSnapshot() }
      latest = entry
      entry.snapshot.catch(() => {
        if (latest === entry) latest = null
      })
      return entry.snapshot
    },

    async offersAt(snapshot, sizes) {
      const now = chainNow(clock)
      const share = Math.floor(maxQuotes / Math.max(snapshot.series.length, 1))
      const limit = Math.min(quotesOfSeries.most, Math.max(quotesOfSeries.least, share))
      const tokens = new Map(snapshot.reading.markets.map(({ pool }) => [pool.poolId, pool.loanToken]))
      /** Makers without an executable candidate, by series, from this call's reads. */
      const failed = new Map<Hex, ReadonlySet<Address>>()

      const list = async (perMaker: number) => {
        const lists = [...sizes].map(([series, most]) => {
          const token = tokens.get(series.poolId)
          const terms = token && { loanToken: token, notional: leastOf(most) }
          const failedHere = failed.get(series.seriesKey) ?? new Set<Address>()
          const skips = (maker: Address) =>
            failedHere.has(maker) ||
            bans.rejection(maker) !== null ||
            (terms !== undefined && !unfundedMakers.mayCount(maker.toLowerCase(), terms))
          const lists = {
            without: terms ? unfundedMakers.uncounted(terms) : [],
            alsoWithout: [...failedHere, ...bans.makers()],
          }
          return listCandidates(series, { most, perMaker, limit, ...lists, skips, now })
        })
        return Promise.all(lists)
      }

      await unfundedMakers.check([], snapshot.reading.block)
      for (let reads = 1; ; reads += 1) {
        const lists = await list(quotesOfMaker)
        const offers = await readOffers(snapshot, lists.flat())
        // Failed candidates hide others only where the list is full.
        const hidden = lists.filter((candidates) => candidates.length >= limit)
        for (const candidates of hidden) noteFailed(failed, candidates, offers)
        const mayHide = hidden.some((candidates) => failed.has(candidates[0]?.quote.seriesKey ?? '0x'))
        if (!mayHide || reads === maxReads) return offers
        // Lists only each maker's best quote, so that one read of funds covers as many makers as possible.
        let hasFound = true
        while (hasFound) {
          const best = await quoteStateQueries((await list(1)).flat())
          hasFound = await unfundedMakers.check(best, snapshot.reading.block)
        }
      }
    },
  }
}

/** The smallest notional that counts for a size. */
function leastOf(size: bigint): bigint {
  return (size + 1n) / 2n
}

/** Adds makers whose candidates in one series all failed. */
function noteFailed(
  failed: Map<Hex, ReadonlySet<Address>>,
  candidates: readonly Candidate[],
  offers: ReadonlyMap<Hex, readonly Offer[]>,
): void {
  for (const { quote } of candidates) {
    const { seriesKey, maker } = quote
    if (offers.get(seriesKey)?.some((offer) => offer.maker === maker)) continue
    failed.set(seriesKey, new Set([...(failed.get(seriesKey) ?? []), maker]))
  }
}
