import type { Token } from '@firmquote/react'
import type { Hex } from 'viem'
import { useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { TermPrice } from '../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { Choice } from '../../ui/Field.tsx'
import styles from './TermChoice.module.css'

/**
 * Chips for choosing one of a market's terms, each with its rate at this amount. Terms without remaining capacity cannot
 * be chosen.
 */
export function TermChoice(props: {
  terms: readonly TermPrice[]
  offers: KnownOffers
  /** The amount in raw units, or null if invalid. */
  size: bigint | null
  /** The amount's token, if the amount is not shown elsewhere. */
  token: Token | null
  /** Unix seconds. */
  now: number
  value: Hex | null
  /** A full sentence. */
  error: string | undefined
  onChange: (seriesKey: Hex) => void
}) {
  const { terms, offers, size, token, now, value, error, onChange } = props
  const { texts, formats } = useWords()
  const { common, home } = texts
  const detail = ({ price, series: { expiry } }: TermPrice) => {
    if (size === null) return undefined
    if (offers.pending) return common.waiting
    if (price === null) return offers.error ? home.terms.notKnown : home.terms.noRate
    const isFirm = price.kind === 'firm'
    const rate = formats.rate(price.effectiveApy, isFirm ? 2 : 1)
    return (
      <span {...priceAttributes({ ...price, expiry }, standingOf(price))}>
        {isFirm ? rate : home.terms.about(rate)}
      </span>
    )
  }
  // A day within eleven months is clear without its year.
  const label = (expiry: number) => (expiry - now < 330 * 86_400 ? formats.dayOfYear(expiry) : formats.day(expiry))
  return (
    <div className={styles['terms']}>
      <Choice<Hex>
        legend={
          token && size !== null
            ? home.terms.titleOf(formats.withSymbol(formats.amount(size, token), token))
            : home.terms.title
        }
        options={terms.map((term) => ({
          value: term.series.seriesKey,
          label: label(term.series.expiry),
          detail: detail(term),
          none: term.series.capacity === 0n,
        }))}
        value={value ?? '0x'}
        onChange={onChange}
        error={error}
      />
    </div>
  )
}
