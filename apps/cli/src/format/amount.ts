import { formatPrincipal, parsePrincipal } from '@firmquote/core'

/**
 * Parses a typed amount: `parseAmount('250k', 6)` is `250_000_000_000n`. The format is that of `parsePrincipal`, including commas, with an optional suffix `k` (thousands) or `m` (millions).
 *
 * @param decimals decimals of the token.
 * @returns raw units, a uint256.
 * @throws {InvalidInputError} if the text is invalid; the message explains why.
 */
export function parseAmount(text: string, decimals: number): bigint {
  return parsePrincipal(text, decimals, { suffixes: true })
}

/** Formats an amount so that {@link parseAmount} returns the same value, such as `'250000.5'`. `amount` is in raw units. */
export function formatAmount(amount: bigint, decimals: number): string {
  return formatPrincipal(amount, decimals, { grouping: false })
}
