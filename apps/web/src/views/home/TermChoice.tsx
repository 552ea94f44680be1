import type { Hex } from 'viem'
import { useWords } from '../../copy/words.ts'
import { priceAttributes, standingOf } from '../../fixing/offers/priceAttributes.ts'
import type { TermPrice } from '../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { Choice } from '../../ui/Field.tsx'
import styles from './TermChoice.module.css'

/**
 * Chips for choosing one of a market's terms. Each chip shows the term's rate at this size, or the term's duration if
 * there is no rate. Terms without remaining capacity cannot be chosen.
 */
export function TermChoice(props: {
  terms: readonly TermPrice[]
  offers: KnownOffers
  sized?: boolean
  /** Unix seconds. */
  now: number
  value: Hex | undefined
  onChange: (seriesKey: Hex) => void
}) {
  const { terms, offers, sized = true, now, value, onChange } = props
  const { texts, formats } = useWords()
  const { common, home } = texts
  const detail = ({ price, series: { expiry } }: TermPrice) => {
    if (!sized) return formats.time(expiry - now)
    if (offers.pending) return common.waiting
    if (price === null) return offers.error ? home.terms.notKnown : home.terms.noRate
    const rate = formats.rate(price.effectiveApy)
    const said = price.kind === 'firm' ? rate : home.terms.about(rate)
    return <span {...priceAttributes({ ...price, expiry }, standingOf(price))}>{said}</span>
  }
  return (
    <div className={styles['terms']}>
      <Choice<Hex>
        legend={home.terms.title}
        options={terms.map((term) => ({
          value: term.series.seriesKey,
          label: formats.day(term.series.expiry),
          detail: detail(term),
          none: term.series.capacity === 0n,
        }))}
        value={value ?? '0x'}
        onChange={onChange}
      />
    </div>
  )
}
