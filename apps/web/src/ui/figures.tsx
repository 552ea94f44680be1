import { formatAddress, formatDuration, formatPrincipal, formatRate, formatTimestamp } from '@firmquote/sdk'
import type { Address } from 'viem'
import { formatAmount, formatCost } from '../service/formatAmount.ts'
import { useServerNow } from '../service/serverClock.ts'
import type { Token } from '../service/serviceContext.ts'
import styles from './figures.module.css'

/** An amount with its symbol, all of its digits on hover. Raw units; what has to be paid, a `cost`, is rounded up. */
export function Amount({ value, token, cost = false }: { value: bigint; token: Token; cost?: boolean }) {
  return (
    <span className={styles['figure']} title={`${formatPrincipal(value, token.decimals)} ${token.symbol}`}>
      {cost ? formatCost(value, token) : formatAmount(value, token)}{' '}
      <span className={styles['unit']}>{token.symbol}</span>
    </span>
  )
}

/** A rate, never without its kind. Percent. */
export function Rate({
  percent,
  kind = 'APR',
  tone,
}: {
  percent: number
  kind?: 'APR' | 'APY'
  tone?: 'fixed' | 'floating'
}) {
  return (
    <span className={`${styles['figure']} ${tone ? styles[tone] : ''}`}>
      {formatRate(percent)} <span className={styles['unit']}>{kind}</span>
    </span>
  )
}

/** An instant in Unix milliseconds: how long ago or how soon, with the exact time on hover, or beside it with `exact`. */
export function Time({ at, exact = false }: { at: number; exact?: boolean }) {
  const now = useServerNow(1_000)
  const text = formatTimestamp(Math.floor(at / 1000), { seconds: true })
  return (
    <time className={styles['figure']} dateTime={new Date(at).toISOString()} title={text}>
      {relative(at, now)}
      {exact && <span className={styles['exact']}>{text}</span>}
    </time>
  )
}

/** A day on which a series ends, Unix seconds, and how long that is from now. */
export function Maturity({ expiry }: { expiry: number }) {
  const now = useServerNow(60_000)
  return (
    <time className={styles['figure']} dateTime={new Date(expiry * 1000).toISOString()} title={formatTimestamp(expiry)}>
      {formatDay(expiry)}
      <span className={styles['exact']}>{relative(expiry * 1000, now, 1)}</span>
    </time>
  )
}

/** An address in short; whole on hover. */
export function ShortAddress({ address }: { address: Address }) {
  return (
    <span className={styles['mono']} title={address}>
      {formatAddress(address)}
    </span>
  )
}

/** A day in UTC, as `1 Mar 2027`. Unix seconds. */
export function formatDay(unixSeconds: number): string {
  return dayFormat.format(unixSeconds * 1000)
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

function relative(at: number, now: number, units = 1): string {
  const seconds = Math.floor(Math.abs(at - now) / 1000)
  if (seconds < 1) return 'now'
  const text = formatDuration(seconds, { units })
  return at > now ? `in ${text}` : `${text} ago`
}
