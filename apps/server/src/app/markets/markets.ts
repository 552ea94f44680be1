import {
  ChainUnavailableError,
  type CurrentRate,
  type FixedPosition,
  judgeState,
  type PoolRates,
  quoteApr,
  type SignedQuote,
} from '@firmquote/core'
import { type Address, type Hex, isAddressEqual, zeroAddress } from 'viem'
import { fundsOf, measureDepth, type Offer } from '../../domain/openNotional.ts'
import type { Series } from '../../ports/chain.ts'
import { chainNow } from '../chain/chainNow.ts'
import type { Sync } from '../chain/sync.ts'
import type { QuoteStateQueries } from '../quotes/quoteStateQueries.ts'
import type { UnprovenMakers } from '../quotes/unprovenMakers.ts'
import type { Markets } from '../service.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { floatingRate, protocolOf } from './lendingMarket.ts'

/** Depth counts so many published quotes, best first, and so many of auctions, newest first. */
const maxPublished = 500
const maxObserved = 100
/** How long an answer about all pools is reused, in milliseconds. */
const freshMs = 1_000

/** Creates the view of lending markets and series, from the synced events and the state at one block. */
export function createMarkets(
  deps: ServiceDeps & { quoteStateQueries: QuoteStateQueries; unprovenMakers: UnprovenMakers },
  sync: Pick<Sync, 'status'>,
): Markets {
  const { chain, clock, store, quoteStateQueries, unprovenMakers } = deps
  let latest: { at: number; pools: Promise<PoolRates[]> } | null = null

  /** The pools are known only after a first sync. */
  const requireSynced = () => {
    if (sync.status().synced === null) throw new ChainUnavailableError("The pools' events have not been read yet.")
  }

  /** Quotes without a designated taker, each once: published ones, and those of recent auctions. */
  const listCandidates = async (now: bigint): Promise<{ quote: SignedQuote; hash: Hex }[]> => {
    const byHash = new Map<Hex, SignedQuote>()
    let cursor: string | null | undefined
    while (cursor !== null && byHash.size < maxPublished) {
      const page = await store.listQuotes({ sort: 'rate', limit: 100, ...(cursor && { cursor }) }, now)
      for (const { hash, quote } of page.quotes.map((record) => record.parse())) byHash.set(hash, quote)
      cursor = page.nextCursor
    }
    for (const { hash, quote } of await store.listObservations({ limit: maxObserved })) byHash.set(hash, quote)
    return [...byHash]
      .map(([hash, quote]) => ({ hash, quote }))
      .filter(({ quote }) => quote.deadline >= now && isAddressEqual(quote.taker, zeroAddress))
  }

  const readPools = async (): Promise<PoolRates[]> => {
    requireSynced()
    const now = chainNow(clock)
    const [pools, every, quotes] = await Promise.all([store.listPools(), store.listSeries(), listCandidates(now)])
    const all = every.filter(({ expiry }) => BigInt(expiry) > now)
    const seriesKeys = all.map(({ seriesKey }) => seriesKey)
    const queries = await quoteStateQueries(quotes)
    const [reading, unproven] = await Promise.all([
      chain.readMarkets({ pools, seriesKeys, collateral: true, quotes: queries }),
      unprovenMakers(queries),
    ])
    // The later of wall clock and block decides what has expired, as in `judgeState`.
    const time = later(now, reading.block.timestamp)
    const offers = new Map<Hex, Offer[]>()
    quotes.forEach(({ quote }, index) => {
      const state = reading.states[index]
      if (!state || unproven[index] || judgeState(quote, state, time) !== null) return
      const { maker, notional, vrtAmount, seriesKey } = quote
      offers.set(seriesKey, [...(offers.get(seriesKey) ?? []), { maker, notional, vrtAmount, funds: fundsOf(state) }])
    })
    const describe = ({ seriesKey, expiry }: Series): PoolRates['series'][number] => {
      const { best, ...depth } = measureDepth(offers.get(seriesKey) ?? [])
      const capacity = reading.capacities.get(seriesKey) ?? 0n
      return { seriesKey, expiry, capacity, ...(best && { bestApr: quoteApr(best, expiry, Number(time)) }), depth }
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

  return {
    pools() {
      const at = clock.monotonic()
      if (latest && at - latest.at < freshMs) return latest.pools
      const answer = { at, pools: readPools() }
      latest = answer
      answer.pools.catch(() => {
        if (latest === answer) latest = null
      })
      return answer.pools
    },

    async rates() {
      requireSynced()
      const pools = await store.listPools()
      const { block, markets } = await chain.readMarkets({ pools })
      return markets.map(
        ({ pool: { adapter, market, loanToken }, ratePerSec }): CurrentRate => ({
          protocol: protocolOf(adapter),
          market,
          loanToken,
          ...floatingRate(ratePerSec),
          block: Number(block.number),
        }),
      )
    },

    async positions(address) {
      requireSynced()
      const [pools, all, open] = await Promise.all([
        store.listPools(),
        store.listSeries(),
        store.listOpenPositions(address),
      ])
      const { block, markets } = await chain.readMarkets({ pools, account: address })
      const expiries = new Map<Hex, number>(all.map(({ seriesKey, expiry }) => [seriesKey, expiry]))
      return {
        address,
        block: Number(block.number),
        debts: markets
          .filter(({ debt }) => debt > 0n)
          .map(({ pool: { poolId, adapter, market, loanToken }, debt }) => ({
            poolId,
            protocol: protocolOf(adapter),
            market,
            loanToken,
            debt,
          })),
        positions: open.flatMap(({ index: _, ...position }): FixedPosition[] => {
          const expiry = expiries.get(position.seriesKey)
          // A series' event precedes those of its positions, and both are rolled back together.
          if (expiry === undefined) return []
          const sides: { role: FixedPosition['role']; account: Address }[] = [
            { role: 'maker', account: position.maker },
            { role: 'borrower', account: position.borrower },
          ]
          return sides
            .filter(({ account }) => isAddressEqual(account, address))
            .map(({ role }) => ({ ...position, role, expiry }))
        }),
      }
    },
  }
}

function later(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}
