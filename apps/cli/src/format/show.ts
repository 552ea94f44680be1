import { formatDuration, formatPrincipal, formatRate, formatTimestamp } from '@firmquote/core'

/** A loan token as far as amounts need it. */
export type Token = { symbol: string; decimals: number }

const yearSeconds = 31_536_000n
// The end of the year 9999, where formatTimestamp ends.
const lastInstant = 253_402_300_799n

/** An amount with its token: `250,000.5 tUSD`; in raw units where the token is not known. */
export function showAmount(amount: bigint, token: Token | undefined): string {
  if (token === undefined) return `${amount} raw`
  return `${formatPrincipal(amount, token.decimals)} ${token.symbol}`
}

/** A rate in percent, or a dash. A service may send what is no rate; it is shown, not judged. */
export function showRate(percent: number | undefined): string {
  if (percent === undefined) return '-'
  return percent >= 0 ? formatRate(percent) : `${percent}%`
}

/** Unix seconds as `2027-03-01 00:00 UTC`. */
export function showInstant(seconds: bigint | number): string {
  return BigInt(seconds) > lastInstant ? String(seconds) : formatTimestamp(seconds)
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
