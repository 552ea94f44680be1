import { secondsPerYear } from '@firmquote/core'

// A rate that people read has fewer digits than this; from here on everything is integers.
const ratePrecision = 1e10

/** What a fixed rate costs over a term, rounded to nearest. Raw units; simple APR in percent. */
export function costAtApr(notional: bigint, aprPercent: number, seconds: number): bigint {
  const rate = BigInt(Math.round(aprPercent * ratePrecision))
  return divideRounded(notional * rate * BigInt(seconds), 100n * BigInt(ratePrecision) * BigInt(secondsPerYear))
}

/** A cost over a term as what it comes to in one year of 365 days. Raw units. */
export function perYear(cost: bigint, seconds: number): bigint {
  return divideRounded(cost * BigInt(secondsPerYear), BigInt(seconds))
}

function divideRounded(value: bigint, by: bigint): bigint {
  return (value + by / 2n) / by
}
