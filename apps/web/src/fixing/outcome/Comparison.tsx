import type { Pool } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { Amount } from '../../ui/figures.tsx'
import { priceAttributes, type Standing } from '../offers/priceAttributes.ts'
import styles from './Comparison.module.css'
import { compareAtRate, type FixedPrice } from './comparison.ts'
import { effectiveApyOf } from './effectiveApy.ts'

/**
 * Compares a price with the floating rate: the cost over the term, the break-even rate and the difference at maturity,
 * most important first. `costShown` and `moreShown` omit figures already shown above.
 */
export function Comparison(props: {
  price: FixedPrice
  pool: Pool
  standing: Standing
  costShown?: boolean
  moreShown?: boolean
}) {
  const { price, pool, standing, costShown = false, moreShown = false } = props
  const { texts, formats } = useWords()
  const { fixing } = texts
  const { notional, cost, from, expiry } = price
  const { loanToken: token, floating } = pool
  const apy = effectiveApyOf({ notional, vrtAmount: cost }, expiry, from)
  const { difference } = compareAtRate(price, floating.ratePerSec)
  const amount = <Amount value={difference < 0n ? -difference : difference} token={token} />
  return (
    <div className={styles['comparison']} {...priceAttributes(price, standing)}>
      {!costShown && (
        <p className={styles['cost']}>
          {(standing === 'estimate' ? fixing.estimatedCost : fixing.cost)(
            <Amount cost value={cost} token={token} />,
            formats.time(expiry - from),
          )}
        </p>
      )}
      <p>
        {Number.isFinite(apy)
          ? fixing.breakEven(formats.rate(apy), formats.day(expiry), formats.rate(floating.apy))
          : fixing.neverEven}
      </p>
      {!moreShown && (
        <p className={styles['quiet']}>
          {difference === 0n
            ? fixing.sameAsFloating
            : (difference > 0n ? fixing.moreThanFloating : fixing.lessThanFloating)(amount)}
        </p>
      )}
    </div>
  )
}
