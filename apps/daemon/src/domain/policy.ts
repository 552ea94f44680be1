import type { Hex } from 'viem'

/** 100 % of simple APR. Rates of a policy are fractions of {@link wad}, for a year of 365 days. */
export const wad = 10n ** 18n

/** Shares of the smaller of balance and allowance, in whole percent from 0 to 100. */
export type Shares = {
  /** For all RFQs without a verified taker together. */
  unverified: number
  /** For the RFQs of each verified taker. */
  taker: number
}

/**
 * Pricing and risk limits of a daemon. Rates are simple APR in WAD (1e18 = 100 %). Sizes are whole loan tokens in WAD (1e18 = 1 token, for any number of decimals).
 */
export type Policy = {
  /** Pools to quote, and series of each. Null means all. */
  pools: readonly { poolId: Hex; series: readonly Hex[] | null }[] | null
  /** Minimum and maximum notional, both inclusive. */
  notional: { min: bigint; max: bigint }
  /** Added to the floating rate by remaining term: linear between points, constant beyond them. `days` must increase. */
  termSpread: readonly { days: number; apr: bigint }[]
  /** Added from this notional up to the next step. `from` must increase. May be negative. */
  sizeSpread: readonly { from: bigint; apr: bigint }[]
  /** The fixed rate is rounded up to a multiple of this. Above zero. */
  tick: bigint
  /** Minimum fixed rate. */
  floor: bigint
  /** A rate outside these bounds is treated as a mistake, and the RFQ is declined. */
  bounds: { min: bigint; max: bigint }
  /** Seconds that a quote stays open after its auction's close. Longer if the RFQ asks for it. */
  lifetimeSeconds: number
  /** Limits on reserved funds by asker, in percent. */
  shares: Shares
}
