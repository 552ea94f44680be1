import { formatPrincipal, parsePrincipal } from '@firmquote/core'

/**
 * Reads an amount as it is typed at a prompt: `parseAmount('250k', 6)` is `250_000_000_000n`. As `parsePrincipal` reads it,
 * commas included, perhaps with `k` (thousands) or `m` (millions).
 *
 * @param decimals of the token.
 * @returns raw units, a uint256.
 * @throws {InvalidInputError} with a sentence that says what is wrong.
 */
export function parseAmount(text: string, decimals: number): bigint {
  return parsePrincipal(text, decimals, { suffixes: true })
}

/** Writes an amount so that {@link parseAmount} reads the same: `'250000.5'`. Raw units. */
export function formatAmount(amount: bigint, decimals: number): string {
  return formatPrincipal(amount, decimals, { grouping: false })
}
