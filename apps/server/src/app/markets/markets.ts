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
import { fundsOf, measureDepth, type Offer } from '../../domain/commitments.ts'
import type { Series } from '../../ports/chain.ts'
import type { Sync } from '../chain/sync.ts'
import type { AskedQuotes } from '../quotes/askedQuotes.ts'
import { chainNow } from '../quotes/judgeQuote.ts'
import type { Markets } from '../service.ts'
import type { ServiceDeps } from '../serviceDeps.ts'
import { floatingRate } from './floatingRate.ts'
import { protocolOf } from './protocolOf.ts'

/** Depth looks at so many published quotes, best first, and so many of auctions, newest first. */
const mostPublished = 500
const mostObserved = 100
/** How long an answer about all pools serves others, in milliseconds. */
const freshMs = 1_000

/** What the lending markets and the series offer: from the synced events, and one block's state. */
export function createMarkets(deps: ServiceDeps & { askedQuotes: AskedQuotes }, sync: Pick<Sync, 'status'>): Markets {
  const { chain, clock, store, askedQuotes } = deps
  let latest: { at: number; pools: Promise<PoolRates[]> } | null = null

  /** Until the events have been read there is no telling which pools there are. */
  const requireSynced = () => {
    if (sync.status().synced === null) throw new ChainUnavailableError("The pools' events have not been read yet.")
  }

  /** Quotes that anyone could take, each once: published ones, and those that auctions have seen lately. */
  const readCandidates = async (now: bigint): Promise<{ quote: SignedQuote; hash: Hex }[]> => {
    const found = new Map<Hex, SignedQuote>()
    let cursor: string | null | undefined
    while (cursor !== null && found.size < mostPublished) {
      const page = await store.listQuotes({ sort: 'rate', limit: 100, ...(cursor && { cursor }) }, now)
      for (const { hash, quote } of page.quotes.map((record) => record.parse())) found.set(hash, quote)
      cursor = page.nextCursor
    }
    for (const { hash, quote } of await store.listObservations({ limit: mostObserved })) found.set(hash, quote)
    return [...found]
      .map(([hash, quote]) => ({ hash, quote }))
      .filter(({ quote }) => quote.deadline >= now && isAddressEqual(quote.taker, zeroAddress))
  }

  const readPools = async (): Promise<PoolRates[]> => {
    requireSynced()
    const now = chainNow(clock)
    const [pools, every, quotes] = await Promise.all([store.listPools(), store.listSeries(), readCandidates(now)])
    const all = every.filter(({ expiry }) => BigInt(expiry) > now)
    const seriesKeys = all.map(({ seriesKey }) => seriesKey)
    const asked = await askedQuotes(quotes)
    const reading = await chain.readMarkets({ pools, seriesKeys, collateral: true, quotes: asked })
    // As in the judges: whichever is later, clock or block, decides what has expired.
    const time = later(now, reading.block.timestamp)
    const offers = new Map<Hex, Offer[]>()
    quotes.forEach(({ quote }, index) => {
      const state = reading.states[index]
      if (!state || judgeState(quote, state, time) !== null) return
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
          // The event of the series comes before those of its positions, and both are rolled back together.
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
