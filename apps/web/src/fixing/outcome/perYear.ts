import { secondsPerYear } from '@firmquote/core'

/** An amount for a term as an amount per year of 365 days, rounded to nearest. Raw units; may be negative. */
export function perYear(amount: bigint, seconds: number): bigint {
  const size = amount < 0n ? -amount : amount
  const yearly = (size * BigInt(secondsPerYear) + BigInt(seconds) / 2n) / BigInt(seconds)
  return amount < 0n ? -yearly : yearly
}
