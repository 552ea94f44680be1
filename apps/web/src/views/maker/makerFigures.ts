import type { Pool, Token } from '@firmquote/react'
import type { FixedPosition, StoredQuote } from '@firmquote/sdk'
import { isTakeable } from '../../fixing/offers/knownOffers.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'

/** An amount of a token, in raw units. */
export type TokenSum = { token: Token; amount: bigint }

/** A maker's published quotes in one market. Amounts are in raw units. */
export type MarketQuotes = {
  pool: Pool
  count: number
  least: bigint
  most: bigint
  /** The takeable quote with the lowest rate. */
  best: { stored: StoredQuote; apy: number; expiry: number } | null
}

/** A maker's figures from public data. */
export type MakerFigures = {
  locked: TokenSum[]
  open: number
  fills: number
  volume: TokenSum[]
  published: number
  takeable: number
  markets: MarketQuotes[]
}

/**
 * Sums up a maker's published quotes and its positions, open and settled. Pure.
 *
 * @param now Unix seconds.
 */
export function makerFigures({
  pools,
  quotes,
  positions,
  now,
}: {
  pools: readonly Pool[]
  quotes: readonly StoredQuote[]
  positions: readonly FixedPosition[]
  now: number
}): MakerFigures {
  const made = positions.filter(({ role }) => role === 'maker')
  const open = made.filter(({ settlement }) => settlement === undefined)
  const takeable = quotes.filter((stored) => isTakeable(stored, undefined, now))
  return {
    locked: sumByToken(open, pools),
    open: open.length,
    fills: made.length,
    volume: sumByToken(made, pools),
    published: quotes.length,
    takeable: takeable.length,
    markets: pools.flatMap((pool): MarketQuotes[] => {
      const own = quotes.filter(({ quote }) => quote.poolId === pool.poolId)
      const sizes = own.map(({ quote }) => quote.notional).sort((a, b) => (a < b ? -1 : 1))
      const [least, most] = [sizes[0], sizes.at(-1)]
      if (least === undefined || most === undefined) return []
      const rated = own
        .filter((stored) => takeable.includes(stored))
        .flatMap((stored) => {
          const expiry = pool.series.find(({ seriesKey }) => seriesKey === stored.quote.seriesKey)?.expiry
          return expiry === undefined ? [] : [{ stored, expiry, apy: effectiveApyOf(stored.quote, expiry, now) }]
        })
        .sort((a, b) => a.apy - b.apy)
      return [{ pool, count: own.length, least, most, best: rated[0] ?? null }]
    }),
  }
}

function sumByToken(positions: readonly FixedPosition[], pools: readonly Pool[]): TokenSum[] {
  const sums = new Map<string, TokenSum>()
  for (const { poolId, notional } of positions) {
    const token = pools.find((pool) => pool.poolId === poolId)?.loanToken
    if (!token) continue
    sums.set(token.address, { token, amount: (sums.get(token.address)?.amount ?? 0n) + notional })
  }
  return [...sums.values()]
}
