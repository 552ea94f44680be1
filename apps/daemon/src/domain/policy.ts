import type { Hex } from 'viem'

/** 100 % of simple APR. Rates of a policy are such fractions of {@link wad} for a year of 365 days. */
export const wad = 10n ** 18n

/** Percent of the smaller of balance and allowance, whole numbers from 0 to 100. */
export type Shares = {
  /** For all RFQs together whose taker is not verified. */
  unverified: number
  /** For the RFQs of one verified taker. */
  taker: number
}

/**
 * How a daemon prices and what it risks. Rates are simple APR in WAD (1e18 = 100 %), sizes are whole loan tokens in WAD
 * (1e18 = 1 token, whatever the token's own decimals).
 */
export type Policy = {
  /** The pools that are quoted, and of each the series; null is every one. */
  pools: readonly { poolId: Hex; series: readonly Hex[] | null }[] | null
  /** The least and the largest notional, both included. */
  notional: { min: bigint; max: bigint }
  /** Added to the floating rate by the term that is left: linear between points, level beyond them. Rising `days`. */
  termSpread: readonly { days: number; apr: bigint }[]
  /** Added from this notional on, until the next step begins. Rising `from`. May be negative. */
  sizeSpread: readonly { from: bigint; apr: bigint }[]
  /** The fixed rate is rounded up to a multiple of this. Above zero. */
  tick: bigint
  /** The fixed rate is never below this. */
  floor: bigint
  /** A rate outside is taken for a mistake, and the RFQ is declined. */
  bounds: { min: bigint; max: bigint }
  /** How long a quote can be taken after its auction's close, in seconds; longer where the service asks for it. */
  lifetimeSeconds: number
  /** What may be reserved for whom, in percent of the maker's funds. */
  shares: Shares
}
