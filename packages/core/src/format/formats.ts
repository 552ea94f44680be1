import { getAddress, isAddress, isHex } from 'viem'
import { InvalidInputError } from '../errors.ts'

export {
  type FormatPrincipalOptions,
  type FormatTvlOptions,
  formatPrincipal,
  formatTvl,
  type ParsePrincipalOptions,
  parsePrincipal,
} from './principal.ts'

/** Options of {@link formatRate}. */
export type FormatRateOptions = {
  /** Digits after the decimal point, 0 to 20. Default 2. */
  fractionDigits?: number
}

/**
 * Formats a percentage. Rates that round to zero become `'<0.01%'` (the smallest step), and those above a million
 * percent `'>1,000,000%'`.
 *
 * @param percent - APR or APY in percent, as returned by the rate helpers. Not negative.
 * @throws {InvalidInputError} if `percent` is negative or not a number, or an option is out of range.
 * @example
 * ```ts
 * formatRate(5.25) // '5.25%'
 * formatRate(0.001) // '<0.01%'
 * ```
 */
export function formatRate(percent: number, options: FormatRateOptions = {}): string {
  const { fractionDigits = 2 } = { ...options }
  checkWhole(fractionDigits, 20, 'fractionDigits')
  if (typeof percent !== 'number' || !(percent >= 0)) {
    throw new InvalidInputError('must be a non-negative number.', { path: 'percent', given: percent })
  }
  if (percent > 1_000_000) return '>1,000,000%'
  const text = Math.abs(percent).toFixed(fractionDigits)
  if (percent > 0 && Number(text) === 0) return `<${(10 ** -fractionDigits).toFixed(fractionDigits)}%`
  const [whole = '', fraction] = text.split('.')
  return `${whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}%`
}

/** Options for shortening hexadecimal text. */
export type ShortenOptions = {
  /** Digits kept after `0x`. Default 4. */
  start?: number
  /** Digits kept at the end. Default 4. */
  end?: number
}

/**
 * Shortens a checksummed address (EIP-55) for display. Do not use the result as an identifier: different addresses can
 * shorten to the same text.
 *
 * @param address - All lower-case, or with a valid EIP-55 checksum.
 * @throws {InvalidInputError} if `address` is neither, or an option is out of range.
 * @example
 * ```ts
 * formatAddress('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed') // '0x5aAe…eAed'
 * ```
 */
export function formatAddress(address: string, options: ShortenOptions = {}): string {
  if (typeof address !== 'string' || !isAddress(address)) {
    throw new InvalidInputError('must be an address, in lower case or with a valid checksum.', {
      path: 'address',
      given: address,
    })
  }
  return shorten(getAddress(address), options)
}

/**
 * Shortens a pool id, or any other 32-byte value, for display: `'0x2222…2222'`, in lower case.
 *
 * @param poolId 32 bytes as hex.
 * @throws {InvalidInputError} if `poolId` is not 32 bytes as hex, or an option is out of range.
 * @example
 * ```ts
 * formatPoolId(`0x${'22'.repeat(32)}`) // '0x2222…2222'
 * ```
 */
export function formatPoolId(poolId: string, options: ShortenOptions = {}): string {
  if (!isHex(poolId) || poolId.length !== 66) {
    throw new InvalidInputError('must be 32 bytes in hex, with the prefix 0x.', { path: 'poolId', given: poolId })
  }
  return shorten(poolId.toLowerCase(), options)
}

function shorten(hex: string, options: ShortenOptions): string {
  const { start = 4, end = 4 } = { ...options }
  checkWhole(start, 64, 'start')
  checkWhole(end, 64, 'end')
  if (2 + start + end >= hex.length) return hex
  return `${hex.slice(0, 2 + start)}…${hex.slice(hex.length - end)}`
}

/** Options of {@link formatDuration}. */
export type FormatDurationOptions = {
  /** Number of adjacent units to show, 1 to 4, from the largest nonzero unit down. Default 2. */
  units?: number
}

const durationUnits = [
  { suffix: 'd', seconds: 86_400 },
  { suffix: 'h', seconds: 3_600 },
  { suffix: 'm', seconds: 60 },
  { suffix: 's', seconds: 1 },
] as const

/**
 * Formats a duration. Smaller units are truncated, so a countdown never shows more than the time remaining.
 *
 * @param seconds - Not negative. Fractions are truncated.
 * @throws {InvalidInputError} if `seconds` is negative or not finite, or an option is out of range.
 * @example
 * ```ts
 * formatDuration(93_784) // '1d 2h'
 * formatDuration(93_784, { units: 4 }) // '1d 2h 3m 4s'
 * ```
 */
export function formatDuration(seconds: number | bigint, options: FormatDurationOptions = {}): string {
  const { units = 2 } = { ...options }
  if (!Number.isInteger(units) || units < 1 || units > 4) {
    throw new InvalidInputError('must be a whole number from 1 to 4.', { path: 'units', given: units })
  }
  let rest = checkedFloor(seconds, Number.MAX_SAFE_INTEGER, 'seconds')
  const largest = durationUnits.findIndex((unit) => rest >= unit.seconds)
  if (largest === -1) return '0s'
  const parts: string[] = []
  for (const unit of durationUnits.slice(largest, largest + units)) {
    const count = Math.floor(rest / unit.seconds)
    rest -= count * unit.seconds
    if (count > 0) parts.push(`${count}${unit.suffix}`)
  }
  return parts.join(' ')
}

/** Options of {@link formatTimestamp}. */
export type FormatTimestampOptions = {
  /** Whether to show seconds. Default false. */
  seconds?: boolean
}

// The end of the year 9999. Later years have more digits and would not sort correctly as text.
const lastTimestamp = 253_402_300_799

/**
 * Formats a time in UTC.
 *
 * @param unixSeconds - Unix seconds, from 1970 to the end of the year 9999. Fractions are truncated.
 * @throws {InvalidInputError} if `unixSeconds` is out of range.
 * @example
 * ```ts
 * formatTimestamp(1_803_859_200) // '2027-03-01 00:00 UTC'
 * ```
 */
export function formatTimestamp(unixSeconds: number | bigint, options: FormatTimestampOptions = {}): string {
  const { seconds = false } = { ...options }
  const instant = checkedFloor(unixSeconds, lastTimestamp, 'unixSeconds')
  const iso = new Date(instant * 1000).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, seconds ? 19 : 16)} UTC`
}

const chainNames: { readonly [chainId: number]: string } = {
  1: 'Ethereum',
  10: 'OP Mainnet',
  56: 'BNB Smart Chain',
  100: 'Gnosis',
  130: 'Unichain',
  137: 'Polygon',
  480: 'World Chain',
  8453: 'Base',
  31337: 'Anvil',
  42161: 'Arbitrum One',
  43114: 'Avalanche',
  59144: 'Linea',
  84532: 'Base Sepolia',
  421614: 'Arbitrum Sepolia',
  534352: 'Scroll',
  11155111: 'Sepolia',
  11155420: 'OP Sepolia',
}

/**
 * Returns a chain's display name, or `'Chain <id>'` if the chain is unknown.
 *
 * @param chainId - The EIP-155 chain id.
 * @throws {InvalidInputError} if `chainId` is not a non-negative integer.
 * @example
 * ```ts
 * getChainName(8453) // 'Base'
 * getChainName(123) // 'Chain 123'
 * ```
 */
export function getChainName(chainId: number): string {
  checkWhole(chainId, Number.MAX_SAFE_INTEGER, 'chainId')
  return chainNames[chainId] ?? `Chain ${chainId}`
}

function checkWhole(value: number, max: number, path: string): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return
  throw new InvalidInputError(`must be a whole number from 0 to ${max}.`, { path, given: value })
}

function checkedFloor(value: number | bigint, max: number, path: string): number {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw new InvalidInputError('must be a number or a bigint.', { path, given: value })
  }
  const floor = Math.floor(Number(value))
  checkWhole(floor, max, path)
  return floor
}
