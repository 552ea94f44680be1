import { formatPrincipal, parsePrincipal } from '@firmquote/core'

/**
 * Parses an amount typed by the user: `parseAmount('250k', 6)` is `250_000_000_000n`. Accepts the format of
 * `parsePrincipal`, including commas, and an optional suffix `k` (thousands) or `m` (millions).
 *
 * @param decimals the token's decimals.
 * @returns raw units, a uint256.
 * @throws {InvalidInputError} if the text is invalid. The message explains why.
 */
export function parseAmount(text: string, decimals: number): bigint {
  return parsePrincipal(text, decimals, { suffixes: true })
}

/** Formats raw units so that {@link parseAmount} returns the same value, such as `'250000.5'`. */
export function formatAmount(amount: bigint, decimals: number): string {
  return formatPrincipal(amount, decimals, { grouping: false })
}
