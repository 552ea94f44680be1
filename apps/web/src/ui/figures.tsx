import { type Token, useServerNow } from '@firmquote/react'
import type { Address } from 'viem'
import { useFormats, useWords } from '../copy/words.ts'
import styles from './figures.module.css'

/**
 * Shows an amount in raw units with its symbol, which `bare` omits. All digits are shown on hover, or always if `exact`
 * is set. A `cost` is rounded up, and an estimate (`about`) has three significant digits.
 */
export function Amount(props: {
  value: bigint
  token: Pick<Token, 'symbol' | 'decimals'>
  cost?: boolean
  exact?: boolean
  about?: boolean
  bare?: boolean
}) {
  const { value, token, cost = false, exact = false, about = false, bare = false } = props
  const formats = useFormats()
  const write = exact ? formats.exact : about ? formats.estimate : cost ? formats.cost : formats.amount
  return (
    <span className={styles['figure']} title={formats.withSymbol(formats.exact(value, token), token)}>
      {write(value, token)}
      {!bare && <span className={styles['unit']}> {token.symbol}</span>}
    </span>
  )
}

/** Shows a rate in percent and its kind. Fixed rates are effective APY. An estimate (`about`) has one decimal. */
export function Rate({
  percent,
  kind = 'apy',
  tone,
  about = false,
}: {
  percent: number
  kind?: 'apr' | 'apy'
  tone?: 'fixed' | 'floating'
  about?: boolean
}) {
  const { texts, formats } = useWords()
  return (
    <span className={`${styles['figure']} ${tone ? styles[tone] : ''}`}>
      {formats.rate(percent, about ? 1 : 2)} <span className={styles['unit']}>{texts.common[kind]}</span>
    </span>
  )
}

/** Shows a time (Unix milliseconds) relative to now. The exact time is shown on hover, or always if `exact` is set. */
export function Time({ at, exact = false }: { at: number; exact?: boolean }) {
  const now = useServerNow({ intervalMs: 1_000 })
  const formats = useFormats()
  const text = formats.second(Math.floor(at / 1000))
  return (
    <time className={styles['figure']} dateTime={new Date(at).toISOString()} title={text}>
      {formats.relative(at, now)}
      {exact && <span className={styles['exact']}>{text}</span>}
    </time>
  )
}

/** Shows a series' maturity (Unix seconds) and the time remaining. */
export function Maturity({ expiry }: { expiry: number }) {
  const now = useServerNow({ intervalMs: 60_000 })
  const formats = useFormats()
  return (
    <time className={styles['figure']} dateTime={new Date(expiry * 1000).toISOString()} title={formats.minute(expiry)}>
      {formats.day(expiry)}
      <span className={styles['exact']}>{formats.relative(expiry * 1000, now)}</span>
    </time>
  )
}

/** A shortened address. Shown in full on hover. */
export function ShortAddress({ address }: { address: Address }) {
  const formats = useFormats()
  return (
    <span className={styles['mono']} title={address}>
      {formats.address(address)}
    </span>
  )
}
