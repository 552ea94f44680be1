import { formatDuration, formatPrincipal, formatRate, formatTimestamp } from '@firmquote/core'

/** A loan token as far as amounts need it. */
export type Token = { symbol: string; decimals: number }

const yearSeconds = 31_536_000n
// The end of the year 9999, where formatTimestamp ends.
const lastInstant = 253_402_300_799

/** An amount with its token: `250,000.5 tUSD`; in raw units where the token is not known, or no token is like that. */
export function showAmount(amount: bigint, token: Token | undefined): string {
  if (token === undefined || !isUint8(token.decimals)) return `${amount} raw`
  return `${formatPrincipal(amount, token.decimals)} ${token.symbol}`
}

/** A rate in percent, or a dash. A service may send what is no rate; it is shown, not judged. */
export function showRate(percent: number | undefined): string {
  if (percent === undefined) return '-'
  return percent >= 0 ? formatRate(percent) : `${percent}%`
}

/** Unix seconds as `2027-03-01 00:00 UTC`, or `2027-03-01 00:00:30 UTC` where the minute is not full. */
export function showInstant(seconds: bigint | number): string {
  const at = Number(seconds)
  return Number.isInteger(at) && at >= 0 && at <= lastInstant
    ? formatTimestamp(at, { seconds: at % 60 !== 0 })
    : String(seconds)
}

/**
 * How long until a deadline.
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
