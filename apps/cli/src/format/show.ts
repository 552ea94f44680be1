import { formatDuration, formatPrincipal, formatRate, formatTimestamp } from '@firmquote/core'

/** The fields of a loan token needed to format amounts. */
export type Token = { symbol: string; decimals: number }

const yearSeconds = 31_536_000n
// End of the year 9999, the limit of formatTimestamp.
const lastInstant = 253_402_300_799

/** Formats an amount with its token, such as `250,000.5 tUSD`. If the token is invalid or missing, shows raw units. */
export function showAmount(amount: bigint, token: Token | undefined): string {
  if (token === undefined || !isUint8(token.decimals)) return `${amount} raw`
  return `${formatPrincipal(amount, token.decimals)} ${token.symbol}`
}

/**
 * Formats a rate in percent. Returns a dash if there is none. An invalid rate from the service is shown unchanged.
 */
export function showRate(percent: number | null | undefined): string {
  if (percent === undefined || percent === null) return '-'
  return percent >= 0 ? formatRate(percent) : `${percent}%`
}

/** A fixed rate, in percent. `effectiveApy` is null if there is none, and absent if an older service omitted it. */
export type FixedRate = { apr?: number | undefined; effectiveApy?: number | null | undefined }

/** Formats a fixed rate as `6.50% APR (6.72% effective APY)`. */
export function showFixedRate({ apr, effectiveApy }: FixedRate): string {
  const effective = typeof effectiveApy === 'number' ? ` (${showRate(effectiveApy)} effective APY)` : ''
  return `${showRate(apr)} APR${effective}`
}

/** Formats Unix seconds as `2027-03-01 00:00 UTC`, or `2027-03-01 00:00:30 UTC` if the seconds are not zero. */
export function showInstant(seconds: bigint | number): string {
  const at = Number(seconds)
  return Number.isInteger(at) && at >= 0 && at <= lastInstant
    ? formatTimestamp(at, { seconds: at % 60 !== 0 })
    : String(seconds)
}

/**
 * Formats the time until a deadline.
 *
 * @param deadline Unix seconds.
 * @param now Unix milliseconds.
 */
export function showTimeLeft(deadline: bigint, now: number): string {
  const left = deadline - BigInt(Math.floor(now / 1000))
  if (left <= 0n) return 'none'
  return left > yearSeconds ? 'over a year' : formatDuration(left)
}

function isUint8(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 255
}
