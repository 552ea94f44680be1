// Why: docs/decisions/0033-rates-at-a-size.md
import { judgeState, type PoolRates, quoteApr, type SignedQuote } from '@firmquote/core'
import { type Hex, isAddressEqual, zeroAddress } from 'viem'
import { minNotionalOf } from '../../domain/minNotionalOf.ts'
import { fundsOf, measureDepth, type Offer } from '../../domain/openNotional.ts'
import type { MarketReading, Pool, Series } from '../../ports/chain.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { QuoteStateQueries } from '../quotes/quoteStateQueries.ts'
import type { UnprovenMakers } from '../quotes/unprovenMakers.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { floatingRate, protocolOf } from './lendingMarket.ts'

/** Maximum number of quotes read per request: in total, per series, and per maker in a series. */
const maxQuotes = 1_000
const quotesOfSeries = { least: 10, most: 100 }
const quotesOfMaker = 20
/** Divides a series' remaining capacity to get the default size. */
const sizeDivisor = 100n

type Candidate = { quote: SignedQuote; hash: Hex }
/** The size to measure for each series, in raw units; null if unknown. */
type Sizes = ReadonlyMap<Hex, bigint | null>

/** Reads pools with their rates at one size, or at each series' default size. */
export type ReadPoolRates = (pools: readonly Pool[], size?: bigint) => Promise<PoolRates[]>

/** Creates {@link ReadPoolRates}. */
export function createReadPoolRates(
  deps: ServiceDeps & { quoteStateQueries: QuoteStateQueries; unprovenMakers: UnprovenMakers },
): ReadPoolRates {
  const { chain, clock, store, quoteStateQueries, unprovenMakers, limits } = deps
  const dustRule = { divisor: limits.dustDivisor, limits: limits.dustLimits }
  /** The remaining capacities at the last read. They seldom change between reads. */
  let lastCapacities: ReadonlyMap<Hex, bigint> = new Map()

  return async (pools, size) => {
    const now = chainNow(clock)
    const tokens = new Map(pools.map(({ poolId, loanToken }) => [poolId, loanToken]))
    const all = (await store.listSeries()).filter(({ poolId, expiry }) => tokens.has(poolId) && BigInt(expiry) > now)
    const leastOf = ({ poolId, cap }: Series) =>
      minNotionalOf({ cap, loanToken: tokens.get(poolId) ?? zeroAddress }, dustRule)
    const limit = Math.min(
      quotesOfSeries.most,
      Math.max(quotesOfSeries.least, Math.floor(maxQuotes / Math.max(all.length, 1))),
    )

    const sizesBy = (capacities: ReadonlyMap<Hex, bigint>): Sizes =>
      new Map(
        all.map((series) => {
          const capacity = capacities.get(series.seriesKey)
          const own = capacity === undefined ? null : larger(capacity / sizeDivisor, leastOf(series))
          return [series.seriesKey, size ?? own]
        }),
      )

    /** Lists distinct quotes without a designated taker: published quotes, and quotes from recent auctions. */
    const listCandidates = async (
      { seriesKey }: Series,
      most: bigint,
      { perMaker, without }: { perMaker: number; without: ReadonlySet<string> },
    ): Promise<Candidate[]> => {
      const least = (most + 1n) / 2n
      const offers: Candidate[] = await store.listOffers({ seriesKey, least, most, perMaker, limit, without }, now)
      const observed = await store.listObservations({ seriesKey, limit })
      const byHash = new Map(offers.map((offer) => [offer.hash, offer]))
      const counts = new Map<string, number>()
      for (const { quote } of offers) counts.set(quote.maker, (counts.get(quote.maker) ?? 0) + 1)
      for (const candidate of observed) {
        const { maker, notional, deadline, taker } = candidate.quote
        const count = counts.get(maker) ?? 0
        const fits = notional >= least && notional <= most && deadline >= now && isAddressEqual(taker, zeroAddress)
        if (!fits || byHash.has(candidate.hash) || count >= perMaker || without.has(maker.toLowerCase())) continue
        counts.set(maker, count + 1)
        byHash.set(candidate.hash, candidate)
      }
      return [...byHash.values()]
    }

    const list = async (sizes: Sizes, perMaker: number, without: ReadonlyMap<Hex, ReadonlySet<string>>) => {
      const lists = all.map(async (series) => {
        const most = sizes.get(series.seriesKey) ?? null
        const left = without.get(series.seriesKey) ?? new Set()
        return most === null ? [] : listCandidates(series, most, { perMaker, without: left })
      })
      return (await Promise.all(lists)).flat()
    }

    const read = async (candidates: readonly Candidate[]) => {
      const quotes = await quoteStateQueries(candidates)
      const seriesKeys = all.map(({ seriesKey }) => seriesKey)
      const [reading, unproven] = await Promise.all([
        chain.readMarkets({ pools, seriesKeys, collateral: true, quotes }),
        unprovenMakers(quotes),
      ])
      return { reading, offers: offersOf(candidates, { reading, unproven }, now) }
    }

    /**
     * Reads the best candidates. If a read reaches its limit and some makers cannot fund any of their quotes, reads
     * other makers' quotes, so that unfunded quotes do not hide funded ones.
     */
    const measure = async (sizes: Sizes) => {
      const without = new Map<Hex, Set<string>>()
      let candidates = await list(sizes, quotesOfMaker, without)
      let result = await read(candidates)
      for (const perMaker of [1, quotesOfMaker]) {
        if (!leaveOut(without, candidates, result.offers, limit) && perMaker === 1) break
        candidates = await list(sizes, perMaker, without)
        result = await read(candidates)
      }
      return { ...result, isEmpty: candidates.length === 0 }
    }

    let sizes = sizesBy(lastCapacities)
    let measured = await measure(sizes)
    const actual = sizesBy(measured.reading.capacities)
    // Reading some pools must not discard the capacities of the others.
    lastCapacities = new Map([...lastCapacities, ...measured.reading.capacities])
    if (all.some(({ seriesKey }) => sizes.get(seriesKey) !== actual.get(seriesKey))) {
      sizes = actual
      const isStillEmpty = measured.isEmpty && (await list(sizes, 1, new Map())).length === 0
      if (!isStillEmpty) measured = await measure(sizes)
    }

    const { reading, offers } = measured
    const time = timeOf(reading, now)
    const describe = (series: Series): PoolRates['series'][number] => {
      const { seriesKey, expiry } = series
      const { best, ...depth } = measureDepth(offers.get(seriesKey) ?? [])
      const capacity = reading.capacities.get(seriesKey) ?? 0n
      const bestApr = best && quoteApr(best, expiry, Number(time))
      return { seriesKey, expiry, capacity, minNotional: leastOf(series), ...(bestApr !== null && { bestApr }), depth }
    }
    return reading.markets.map(({ pool: { poolId, adapter, market }, loanToken, collateral, ratePerSec }) => ({
      poolId,
      loanToken,
      protocol: protocolOf(adapter),
      market,
      collateral,
      floating: floatingRate(ratePerSec),
      series: all.filter((series) => series.poolId === poolId && BigInt(series.expiry) > time).map(describe),
    }))
  }
}

/** The executable candidates that count, by series. */
function offersOf(
  candidates: readonly Candidate[],
  { reading, unproven }: { reading: MarketReading; unproven: readonly boolean[] },
  now: bigint,
): Map<Hex, Offer[]> {
  const time = timeOf(reading, now)
  const offers = new Map<Hex, Offer[]>()
  candidates.forEach(({ quote }, index) => {
    const state = reading.states[index]
    if (!state || unproven[index] || judgeState(quote, state, time) !== null) return
    const { maker, notional, vrtAmount, seriesKey } = quote
    offers.set(seriesKey, [...(offers.get(seriesKey) ?? []), { maker, notional, vrtAmount, funds: fundsOf(state) }])
  })
  return offers
}

/**
 * Excludes makers without an executable candidate from series that may have more candidates. Returns whether it
 * excluded any.
 */
function leaveOut(
  without: Map<Hex, Set<string>>,
  candidates: readonly Candidate[],
  offers: ReadonlyMap<Hex, Offer[]>,
  limit: number,
): boolean {
  const counts = new Map<Hex, number>()
  for (const { quote } of candidates) counts.set(quote.seriesKey, (counts.get(quote.seriesKey) ?? 0) + 1)
  let hasFound = false
  for (const { quote } of candidates) {
    const { seriesKey, maker } = quote
    if ((counts.get(seriesKey) ?? 0) < limit) continue
    if (offers.get(seriesKey)?.some((offer) => offer.maker === maker)) continue
    const left = without.get(seriesKey) ?? new Set()
    without.set(seriesKey, left.add(maker.toLowerCase()))
    hasFound = true
  }
  return hasFound
}

/** The later of the wall clock and the block time determines expiry, as in `judgeState`. */
function timeOf({ block }: MarketReading, now: bigint): bigint {
  return larger(now, block.timestamp)
}

function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
