import { formatPrincipal } from '@firmquote/sdk'
import type { Token } from './serviceContext.ts'

/**
 * An amount for the eye, without its symbol: whole tokens from a million upwards, two digits after the point below, where
 * there are any; cut off, never rounded up. What would look like nothing is written out.
 *
 * @param value raw units.
 */
export function formatAmount(value: bigint, { decimals }: Pick<Token, 'decimals'>): string {
  const { one, step, digits } = scaleOf(decimals)
  if (value >= 1_000_000n * one) return formatPrincipal(value, decimals, { maxFractionDigits: 0 })
  if (value > 0n && value < step) return formatPrincipal(value, decimals)
  const minFractionDigits = value % one < step ? 0 : digits
  return formatPrincipal(value, decimals, { minFractionDigits, maxFractionDigits: digits })
}

/** {@link formatAmount} of something that has to be paid: rounded up, so that nobody pays more than was shown. */
export function formatCost(value: bigint, token: Pick<Token, 'decimals'>): string {
  const { one, step } = scaleOf(token.decimals)
  const shown = value >= 1_000_000n * one ? one : value < step ? 1n : step
  return formatAmount(((value + shown - 1n) / shown) * shown, token)
}

function scaleOf(decimals: number): { one: bigint; step: bigint; digits: number } {
  const digits = Math.min(2, decimals)
  return { one: 10n ** BigInt(decimals), step: 10n ** BigInt(decimals - digits), digits }
}
