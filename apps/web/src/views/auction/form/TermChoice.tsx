import type { Pool } from '@firmquote/react'
import type { Hex } from 'viem'
import { useWords } from '../../../copy/words.ts'
import { priceAttributes, standingOf } from '../../../fixing/offers/priceAttributes.ts'
import type { TermPrice } from '../../../fixing/offers/termPrices.ts'
import type { KnownOffers } from '../../../fixing/offers/useKnownOffers.ts'
import { Choice } from '../../../ui/Field.tsx'
import styles from './AuctionForm.module.css'

/**
 * A choice of a pool's terms. Each term shows the known rate for this amount, or the available amount if that is less.
 */
export function TermChoice(props: {
  pool: Pool
  /** The amount to fix, in raw units, or null if invalid. */
  notional: bigint | null
  /** The terms, priced for that amount, or for zero if none is entered. */
  terms: readonly TermPrice[]
  offers: KnownOffers
  /** Unix seconds. */
  now: number
  value: Hex | null
  error: string | undefined
  onChange: (seriesKey: Hex) => void
}) {
  const { pool, notional, terms, offers, now, value, error, onChange } = props
  const { texts, formats } = useWords()
  const { form } = texts.auction
  const amount = (raw: bigint) => formats.withSymbol(formats.amount(raw, pool.loanToken), pool.loanToken)
  const detail = ({ seriesKey, expiry, capacity }: Pool['series'][number]) => {
    const time = formats.time(expiry - now)
    if (notional !== null && notional > capacity) return form.termLimited(time, amount(capacity))
    const price = terms.find(({ series }) => series.seriesKey === seriesKey)?.price
    if (!price) return time
    const rate = formats.rate(price.effectiveApy)
    return form.termDetail(
      time,
      <span {...priceAttributes({ ...price, expiry }, standingOf(price))}>
        {price.kind === 'firm' ? rate : form.termAbout(rate)}
      </span>,
    )
  }
  const hint = () => {
    if (notional === null || notional === 0n) return form.termNoAmount
    if (offers.pending) return texts.common.waiting
    if (terms.some(({ price }) => price !== null)) return form.termRates(amount(notional))
    return offers.error ? form.termRatesMissing : form.termNoRates(amount(notional))
  }
  return (
    <div className={styles['terms']}>
      <Choice
        legend={form.term}
        options={pool.series.map((series) => ({
          value: series.seriesKey,
          label: formats.day(series.expiry),
          detail: detail(series),
        }))}
        value={value ?? ''}
        onChange={(seriesKey) => seriesKey !== '' && onChange(seriesKey)}
        hint={hint()}
        error={error}
      />
    </div>
  )
}
