import { InvalidInputError } from '../errors.ts'
import { checkedUint256 } from '../values/checkedUint256.ts'
import { maxUint256 } from '../values/uint256.ts'

/** Options of {@link formatPrincipal}. */
export type FormatPrincipalOptions = {
  /** Minimum number of digits after the decimal point, padded with zeros. Default 0. */
  minFractionDigits?: number
  /**
   * Maximum number of digits after the decimal point. Further digits are truncated, never rounded. Default: unlimited.
   */
  maxFractionDigits?: number
  /** Whether to separate thousands with commas. Default true. */
  grouping?: boolean
}

/**
 * Formats a token amount for display.
 *
 * The default options are lossless: `parsePrincipal` returns the same amount for every uint256.
 *
 * @param amount - Raw token units, a uint256.
 * @param decimals - The token's decimals, 0 to 255.
 * @throws {InvalidInputError} if an argument or an option is out of range.
 * @example
 * ```ts
 * formatPrincipal(250_000_500_000n, 6) // '250,000.5'
 * formatPrincipal(250_000_500_000n, 6, { minFractionDigits: 2 }) // '250,000.50'
 * ```
 */
export function formatPrincipal(amount: bigint, decimals: number, options: FormatPrincipalOptions = {}): string {
  checkedUint256(amount, 'amount')
  checkDigits(decimals, 'decimals')
  const {
    minFractionDigits = 0,
    maxFractionDigits = Math.max(decimals, minFractionDigits),
    grouping = true,
  } = { ...options }
  checkDigits(minFractionDigits, 'minFractionDigits')
  checkDigits(maxFractionDigits, 'maxFractionDigits')
  if (minFractionDigits > maxFractionDigits) {
    throw new InvalidInputError('must not exceed maxFractionDigits.', {
      path: 'minFractionDigits',
      given: minFractionDigits,
    })
  }

  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).slice(0, maxFractionDigits)
  const shown = fraction.replace(/0+$/, '').padEnd(minFractionDigits, '0')
  return `${grouping ? group(whole) : whole}${shown && `.${shown}`}`
}

const principalPattern = /^((?:0|[1-9][0-9]*)|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.([0-9]+))?([km]?)$/i
const shifts: Readonly<Record<string, number>> = { '': 0, k: 3, m: 6 }

// Maximum length of the text: 78 digits and 25 commas, a point, 255 decimals and a suffix. Longer text is rejected
// before a regular expression or BigInt processes it.
const maxPrincipal = 360

/** Options of {@link parsePrincipal}. */
export type ParsePrincipalOptions = {
  /** Whether to accept `k` (thousands) or `m` (millions) after the number. Default false. */
  suffixes?: boolean
}

/**
 * Parses a token amount that a user typed.
 *
 * Accepts ASCII digits, an optional decimal point with digits on both sides, and commas as thousands separators.
 * Rejects signs, exponents, spaces and leading zeros. Never rounds: amounts with more decimals than the token has are
 * rejected.
 *
 * @param text The amount as typed.
 * @param decimals - The token's decimals, 0 to 255.
 * @returns Raw token units, a uint256.
 * @throws {InvalidInputError} if the text is not such an amount, or if the amount has too many decimals or does not fit
 * in 256 bits.
 * @example
 * ```ts
 * parsePrincipal('250,000.5', 6) // 250_000_500_000n
 * parsePrincipal('250k', 6, { suffixes: true }) // 250_000_000_000n
 * ```
 */
export function parsePrincipal(text: string, decimals: number, options: ParsePrincipalOptions = {}): bigint {
  checkDigits(decimals, 'decimals')
  const { suffixes = false } = { ...options }
  if (typeof text !== 'string' || text === '') throw new InvalidInputError('The amount is empty.', { given: text })
  if (text.length > maxPrincipal) throw new InvalidInputError('The amount is too long.', { given: text })
  const [, whole, fraction = '', suffix = ''] = principalPattern.exec(text) ?? []
  if (whole === undefined || (suffix !== '' && !suffixes)) {
    throw new InvalidInputError(`The amount must ${howToWrite(text, suffixes)}`, { given: text })
  }
  const places = decimals + (shifts[suffix.toLowerCase()] ?? 0)
  if (fraction.length > places) {
    throw new InvalidInputError(
      `The amount ${text} has more decimals than the token, which has ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}.`,
      { given: text },
    )
  }
  const amount = BigInt(whole.replaceAll(',', '') + fraction.padEnd(places, '0'))
  if (amount > maxUint256) throw new InvalidInputError('The amount does not fit in 256 bits.', { given: text })
  return amount
}

function howToWrite(text: string, suffixes: boolean): string {
  const number = suffixes ? text.replace(/[km]$/i, '') : text
  if (text.startsWith('-')) return 'not be negative.'
  if (/^0x/i.test(text)) return 'be written in decimal digits, not in hex.'
  if (/^[0-9.]+e/i.test(text)) return 'be written without an exponent.'
  if (/^\.|\.$/.test(number)) return 'have digits on both sides of the decimal point, like 0.5.'
  if (/^0[0-9]/.test(number)) return 'have no leading zeros.'
  if (/^[0-9,.]*,[0-9,.]*$/.test(number)) return 'use commas only between thousands, like 1,234.5.'
  return `be written like ${suffixes ? "'250k', '1.5m'" : "'1234.5'"} or '1,234.5'.`
}

/** Options of {@link formatTvl}. */
export type FormatTvlOptions = {
  /** Digits after the decimal point, 0 to 255. Default 2. */
  fractionDigits?: number
  /** Prefix of the number. The default is `'$'`, or no prefix if `symbol` is set. */
  currency?: string
  /** Suffix of the number, as in `'1.23M USDC'`. */
  symbol?: string
}

const magnitudes = [
  { suffix: 'K', exponent: 3 },
  { suffix: 'M', exponent: 6 },
  { suffix: 'B', exponent: 9 },
  { suffix: 'T', exponent: 12 },
] as const

/**
 * Formats a total compactly, rounding half up with integer arithmetic. Totals that round to zero become `'<$0.01'` (the
 * smallest step).
 *
 * @param amount - Raw token units, a uint256.
 * @param decimals - The token's decimals, 0 to 255.
 * @throws {InvalidInputError} if an argument or an option is out of range.
 * @example
 * ```ts
 * formatTvl(1_234_567_000_000n, 6) // '$1.23M'
 * formatTvl(1_234_567_000_000n, 6, { symbol: 'USDC' }) // '1.23M USDC'
 * ```
 */
export function formatTvl(amount: bigint, decimals: number, options: FormatTvlOptions = {}): string {
  checkedUint256(amount, 'amount')
  checkDigits(decimals, 'decimals')
  const { fractionDigits = 2, symbol, currency = symbol === undefined ? '$' : '' } = { ...options }
  checkDigits(fractionDigits, 'fractionDigits')
  checkText(currency, 'currency')
  checkText(symbol ?? '', 'symbol')
  const write = (steps: bigint, suffix: string): string => {
    const number = formatPrincipal(steps, fractionDigits, { minFractionDigits: fractionDigits })
    return `${currency}${number}${suffix}${symbol === undefined ? '' : ` ${symbol}`}`
  }

  let suffix = ''
  let steps = roundToSteps(amount, decimals, fractionDigits)
  for (const next of magnitudes) {
    // Use the rounded number, so that 999,999 becomes $1.00M rather than $1000.00K.
    if (steps < 1000n * 10n ** BigInt(fractionDigits)) break
    suffix = next.suffix
    steps = roundToSteps(amount, decimals + next.exponent, fractionDigits)
  }
  return steps === 0n && amount > 0n ? `<${write(1n, '')}` : write(steps, suffix)
}

// amount / 10^decimals, in steps of 10^-fractionDigits, rounded half up.
function roundToSteps(amount: bigint, decimals: number, fractionDigits: number): bigint {
  const divisor = 10n ** BigInt(decimals)
  return (2n * amount * 10n ** BigInt(fractionDigits) + divisor) / (2n * divisor)
}

function group(whole: string): string {
  return whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
}

function checkDigits(count: number, path: string): void {
  if (Number.isInteger(count) && count >= 0 && count <= 255) return
  throw new InvalidInputError('must be a whole number from 0 to 255.', { path, given: count })
}

function checkText(text: string, path: string): void {
  if (typeof text !== 'string') throw new InvalidInputError('must be a string.', { path, given: text })
}
