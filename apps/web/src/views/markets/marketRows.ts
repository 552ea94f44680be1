import type { Pool } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { restOf, shareOfDebt } from '../../fixing/debt/unfixed.ts'
import type { KnownOffer } from '../../fixing/offers/knownOffers.ts'
import { type TermPrice, termPrices } from '../../fixing/offers/termPrices.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import { rescale } from '../../fixing/rescale.ts'
import type { TableOrder } from '../../ui/Table.tsx'

/** A term's figures for one size. Amounts are in raw units. */
export type MarketRow = TermPrice & {
  /** How much more fixing costs than the variable rate, if that rate stays. Null without a price. */
  difference: bigint | null
  /** Total size of the published quotes that the account can take now. */
  depth: bigint
}

/** The columns by which the terms can be sorted. */
export const sortKeys = ['maturity', 'rate', 'cost', 'depth'] as const

/**
 * Returns the figures of a pool's active terms, nearest maturity first. Pure.
 *
 * @param offers Offers by series.
 * @param at.wanted Raw units.
 * @param at.now Unix seconds.
 */
export function marketRows(
  pool: Pool,
  offers: ReadonlyMap<Hex, readonly KnownOffer[]>,
  at: { wanted: bigint; now: number },
): MarketRow[] {
  return termPrices(pool, offers, at).map((term) => {
    const { seriesKey, expiry } = term.series
    const firm = (offers.get(seriesKey) ?? []).filter((offer) => offer.firm)
    return {
      ...term,
      difference:
        term.price && compareAtRate({ ...term.price, from: at.now, expiry }, pool.floating.ratePerSec).difference,
      depth: firm.reduce((sum, { notional }) => sum + notional, 0n),
    }
  })
}

/** Sorts rows by a column. Rows without a value come last in either direction. Pure. */
export function sortRows(rows: readonly MarketRow[], { by, descending }: TableOrder): MarketRow[] {
  const sortValue = ({ series, price, depth }: MarketRow): number | bigint | null => {
    if (by === 'rate') return price?.effectiveApy ?? null
    if (by === 'cost') return price?.cost ?? null
    return by === 'depth' ? depth : series.expiry
  }
  return rows.toSorted((a, b) => {
    const [one, other] = [sortValue(a), sortValue(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    if (one === other) return 0
    return one < other === descending ? 1 : -1
  })
}

/**
 * Returns the size to start with, in raw units of the first pool's token: the account's first unfixed debt, or 250,000.
 * Pure.
 *
 * @param now Unix seconds.
 */
export function defaultSize(
  pools: readonly [Pool, ...Pool[]],
  account: Pick<AccountPositions, 'debts' | 'positions'> | null,
  now: number,
): bigint {
  const { decimals } = pools[0].loanToken
  for (const { poolId, loanToken } of account ? pools : []) {
    const share = account && shareOfDebt(account, poolId, now)
    if (share && share.unfixed > 0n) return rescale(restOf(share, loanToken), loanToken.decimals, decimals)
  }
  return 250_000n * 10n ** BigInt(decimals)
}
