import { formatPrincipal, parsePrincipal } from '@firmquote/sdk'

const shifts: Readonly<Record<string, number>> = { k: 3, m: 6 }

/**
 * Reads an amount as people type it: `250,000.5`, `250k`, `1.5m`. Exact: the letter moves the point, nothing is rounded.
 *
 * @returns raw units.
 * @throws {InvalidInputError} with a sentence that says what is wrong.
 */
export function parseAmount(text: string, decimals: number): bigint {
  const trimmed = text.trim()
  const shift = shifts[trimmed.slice(-1).toLowerCase()]
  if (shift === undefined) return parsePrincipal(trimmed, decimals)
  return parsePrincipal(trimmed.slice(0, -1).trimEnd(), decimals + shift)
}

/** Writes an amount with all of its digits, so that {@link parseAmount} reads the same. Raw units. */
export function formatAmountInput(amount: bigint, decimals: number): string {
  return formatPrincipal(amount, decimals)
}
