import { formatPrincipal, InvalidInputError, maxUint256 } from '@firmquote/core'

const shifts: Readonly<Record<string, number>> = { '': 0, k: 3, m: 6 }
const pattern = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?([km]?)$/i

// 78 digits, a point, 255 decimals and a letter; refused before anything works through more than that.
const longest = 335

/**
 * Reads an amount as it is typed at a prompt: `parseAmount('250k', 6)` is `250_000_000_000n`. Digits, perhaps a point with
 * digits on both sides, perhaps `k` (thousands) or `m` (millions). Exact: nothing is rounded, nothing passes through a float.
 *
 * @param decimals of the token.
 * @returns raw units, a uint256.
 * @throws {InvalidInputError} with a sentence that says what is wrong.
 */
export function parseAmount(text: string, decimals: number): bigint {
  if (text === '') throw new InvalidInputError('An amount is needed, like 250k or 250000.5.')
  if (text.length > longest) throw new InvalidInputError('The amount is too long.')
  const [, whole, fraction = '', suffix = ''] = pattern.exec(text) ?? []
  if (whole === undefined) throw new InvalidInputError(mistake(text))
  const places = decimals + (shifts[suffix.toLowerCase()] ?? 0)
  if (fraction.length > places) {
    throw new InvalidInputError(
      `The amount ${text} is finer than the token, which has ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}.`,
    )
  }
  const amount = BigInt(whole + fraction.padEnd(places, '0'))
  if (amount > maxUint256) throw new InvalidInputError('The amount does not fit in 256 bits.')
  return amount
}

/** Writes an amount so that {@link parseAmount} reads the same: `'250000.5'`. Raw units. */
export function formatAmount(amount: bigint, decimals: number): string {
  return formatPrincipal(amount, decimals, { grouping: false })
}

function mistake(text: string): string {
  if (text.startsWith('-')) return 'An amount must not be negative.'
  if (/^0x/i.test(text)) return 'An amount is written in decimal digits, not in hex.'
  if (text.includes(',')) return 'An amount is written without commas: 250000.5, or 250k.'
  if (/^[0-9.]+e/i.test(text)) return 'An amount is written without an exponent: 250k, or 1.5m.'
  if (/^\.|\.(?:[km]?)$/i.test(text)) return 'An amount has digits on both sides of its point: 0.5.'
  if (/^0[0-9]/.test(text)) return 'An amount has no zeros in front.'
  return 'An amount is written like 250k, 1.5m or 250000.5.'
}
