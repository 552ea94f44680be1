import { getAddress, isAddress, isHex } from 'viem'
import { InvalidInputError } from './errors.ts'

// The other three of the nine format helpers, those that deal with amounts.
export {
  type FormatPrincipalOptions,
  type FormatTvlOptions,
  formatPrincipal,
  formatTvl,
  parsePrincipal,
} from './principal.ts'

export type FormatRateOptions = {
  /** Digits after the point, 0 to 20. Default 2. */
  fractionDigits?: number
}

/**
 * Writes a percentage: `formatRate(5.25)` is `'5.25%'`. A rate that would round to zero is shown as less than the smallest
 * step (`'<0.01%'`), one above a million percent as `'>1,000,000%'`.
 *
 * @param percent - APR or APY in percent, as the rate helpers give it; not negative.
 * @throws {InvalidInputError} when `percent` is negative or not a number, or an option is out of range.
 */
export function formatRate(percent: number, options: FormatRateOptions = {}): string {
  const { fractionDigits = 2 } = options
  checkWhole(fractionDigits, 20, 'fractionDigits')
  if (typeof percent !== 'number' || !(percent >= 0)) {
    throw new InvalidInputError('must be a number from 0 upwards.', { path: 'percent' })
  }
  if (percent > 1_000_000) return '>1,000,000%'
  const text = Math.abs(percent).toFixed(fractionDigits)
  if (percent > 0 && Number(text) === 0) return `<${(10 ** -fractionDigits).toFixed(fractionDigits)}%`
  const [whole = '', fraction] = text.split('.')
  return `${whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}%`
}

export type ShortenOptions = {
  /** Digits kept after `0x`. Default 4. */
  start?: number
  /** Digits kept at the end. Default 4. */
  end?: number
}

/**
 * Writes an address in short with its EIP-55 letters: `'0x5aAe…eAed'`. For display only: other addresses look the same.
 *
 * @param address - All lower-case, or with a right EIP-55 checksum.
 * @throws {InvalidInputError} when `address` is neither, or an option is out of range.
 */
export function formatAddress(address: string, options: ShortenOptions = {}): string {
  if (!isAddress(address)) {
    throw new InvalidInputError('must be an address, in lower case or with a right checksum.', { path: 'address' })
  }
  return shorten(getAddress(address), options)
}

/**
 * Writes a pool id, or any other 32 bytes, in short: `'0x2222…2222'`, in lower case.
 *
 * @throws {InvalidInputError} when `poolId` is not 32 bytes in hex, or an option is out of range.
 */
export function formatPoolId(poolId: string, options: ShortenOptions = {}): string {
  if (!isHex(poolId) || poolId.length !== 66) {
    throw new InvalidInputError('must be 32 bytes in hex, with 0x in front.', { path: 'poolId' })
  }
  return shorten(poolId.toLowerCase(), options)
}

function shorten(hex: string, { start = 4, end = 4 }: ShortenOptions): string {
  checkWhole(start, 64, 'start')
  checkWhole(end, 64, 'end')
  if (2 + start + end >= hex.length) return hex
  return `${hex.slice(0, 2 + start)}…${hex.slice(hex.length - end)}`
}

export type FormatDurationOptions = {
  /** How many neighbouring units are shown, beginning with the largest that is not zero; 1 to 4. Default 2. */
  units?: number
}

const durationUnits = [
  { suffix: 'd', seconds: 86_400 },
  { suffix: 'h', seconds: 3_600 },
  { suffix: 'm', seconds: 60 },
  { suffix: 's', seconds: 1 },
] as const

/**
 * Writes a length of time: `formatDuration(93_784)` is `'1d 2h'`, `formatDuration(45)` is `'45s'`. What the units shown do
 * not reach is cut off, so a countdown never promises more than there is.
 *
 * @param seconds - Not negative; parts of a second are cut off.
 * @throws {InvalidInputError} when `seconds` is negative or not finite, or an option is out of range.
 */
export function formatDuration(seconds: number | bigint, options: FormatDurationOptions = {}): string {
  const { units = 2 } = options
  if (!Number.isInteger(units) || units < 1 || units > 4) {
    throw new InvalidInputError('must be a whole number from 1 to 4.', { path: 'units' })
  }
  let rest = Math.floor(Number(seconds))
  checkWhole(rest, Number.MAX_SAFE_INTEGER, 'seconds')
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

export type FormatTimestampOptions = {
  /** Also show the seconds. Default false. */
  seconds?: boolean
}

// The end of the year 9999: later years have a fifth digit and no longer sort as text.
const lastTimestamp = 253_402_300_799

/**
 * Writes an instant in UTC, the same on every machine: `formatTimestamp(1_803_859_200)` is `'2027-03-01 00:00 UTC'`.
 *
 * @param unixSeconds - Unix seconds, from 1970 to the end of the year 9999; parts of a second or minute are cut off.
 * @throws {InvalidInputError} when `unixSeconds` is out of range.
 */
export function formatTimestamp(unixSeconds: number | bigint, options: FormatTimestampOptions = {}): string {
  const instant = Math.floor(Number(unixSeconds))
  checkWhole(instant, lastTimestamp, 'unixSeconds')
  const iso = new Date(instant * 1000).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, options.seconds ? 19 : 16)} UTC`
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
 * Names a chain for people: `getChainName(8453)` is `'Base'`; one that is not known is `'Chain 123'`.
 *
 * @param chainId - As in EIP-155.
 * @throws {InvalidInputError} when `chainId` is not a whole number from 0 upwards.
 */
export function getChainName(chainId: number): string {
  checkWhole(chainId, Number.MAX_SAFE_INTEGER, 'chainId')
  return chainNames[chainId] ?? `Chain ${chainId}`
}

function checkWhole(value: number, max: number, path: string): void {
  if (Number.isInteger(value) && value >= 0 && value <= max) return
  throw new InvalidInputError(`must be a whole number from 0 to ${max}.`, { path })
}
