import type { Hex } from 'viem'

/** 100 % simple APR. Policy rates are fractions of {@link wad}, based on a 365-day year. */
export const wad = 10n ** 18n

/** Shares of the maker's funds (the smaller of balance and allowance), in whole percent from 0 to 100. */
export type Shares = {
  /** Combined share of all RFQs without a verified taker. */
  unverified: number
  /** Share of each verified taker's RFQs. */
  taker: number
}

/**
 * A daemon's pricing and risk limits. Rates are simple APR in WAD (1e18 = 100 %). Sizes are whole loan tokens in WAD
 * (1e18 = 1 token, for any number of decimals).
 */
export type Policy = {
  /** Pools to quote, and the series to quote in each. Null means all. */
  pools: readonly { poolId: Hex; series: readonly Hex[] | null }[] | null
  /** Minimum and maximum notional, both inclusive. */
  notional: { min: bigint; max: bigint }
  /**
   * Spread added to the floating rate, by remaining term: interpolated linearly between points, constant beyond them.
   * `days` must be increasing.
   */
  termSpread: readonly { days: number; apr: bigint }[]
  /** Spread added for notionals from `from` up to the next step. May be negative. `from` must be increasing. */
  sizeSpread: readonly { from: bigint; apr: bigint }[]
  /** The fixed rate is rounded up to a multiple of this tick. Must be positive. */
  tick: bigint
  /** Minimum fixed rate. */
  floor: bigint
  /** A rate outside these bounds is treated as a mistake, and the RFQ is declined. */
  bounds: { min: bigint; max: bigint }
  /** Seconds for which a quote remains open after its auction closes. The RFQ may require a longer lifetime. */
  lifetimeSeconds: number
  /** Maximum shares of the funds that may be reserved for each kind of asker, in percent. */
  shares: Shares
}
