import { formatPrincipal } from '@firmquote/sdk'
import type { Token } from './serviceContext.ts'

/**
 * An amount for the eye, without its symbol: whole tokens from a million upwards, two digits after the point below, where
 * there are any; cut off, never rounded up. What would look like nothing is written out.
 *
 * @param value raw units.
 */
export function formatAmount(value: bigint, { decimals }: Pick<Token, 'decimals'>): string {
  const one = 10n ** BigInt(decimals)
  const digits = Math.min(2, decimals)
  const step = 10n ** BigInt(decimals - digits)
  if (value >= 1_000_000n * one) return formatPrincipal(value, decimals, { maxFractionDigits: 0 })
  if (value > 0n && value < step) return formatPrincipal(value, decimals)
  const minFractionDigits = value % one < step ? 0 : digits
  return formatPrincipal(value, decimals, { minFractionDigits, maxFractionDigits: digits })
}
