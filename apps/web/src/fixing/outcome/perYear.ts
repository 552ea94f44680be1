import { secondsPerYear } from '@firmquote/core'

/**
 * Converts an amount for a term to the amount per year of 365 days, rounded to the nearest raw unit. May be negative.
 */
export function perYear(amount: bigint, seconds: number): bigint {
  const size = amount < 0n ? -amount : amount
  const yearly = (size * BigInt(secondsPerYear) + BigInt(seconds) / 2n) / BigInt(seconds)
  return amount < 0n ? -yearly : yearly
}
