import { secondsPerYear } from '@firmquote/core'

/** An amount for a term as what it comes to in one year of 365 days, to nearest. Raw units; may be negative. */
export function perYear(amount: bigint, seconds: number): bigint {
  const size = amount < 0n ? -amount : amount
  const yearly = (size * BigInt(secondsPerYear) + BigInt(seconds) / 2n) / BigInt(seconds)
  return amount < 0n ? -yearly : yearly
}
