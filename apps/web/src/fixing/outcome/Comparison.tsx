import type { Pool } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { Amount } from '../../ui/figures.tsx'
import { priceAttributes, type Standing } from '../offers/priceAttributes.ts'
import styles from './Comparison.module.css'
import { compareAtRate, type FixedPrice } from './comparison.ts'
import { effectiveApyOf } from './effectiveApy.ts'

/**
 * Compares a price with the variable rate: the cost over the term, the break-even rate and the difference at maturity,
 * most important first. `costShown` and `moreShown` omit figures already shown above. Figures of an estimate have fewer
 * digits.
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
  const about = standing === 'estimate'
  const amount = <Amount about={about} value={difference < 0n ? -difference : difference} token={token} />
  return (
    <div className={styles['comparison']} {...priceAttributes(price, standing)}>
      {!costShown && (
        <p className={styles['cost']}>
          {(about ? fixing.estimatedCost : fixing.cost)(
            <Amount cost about={about} value={cost} token={token} />,
            formats.time(expiry - from),
          )}
        </p>
      )}
      <p>{Number.isFinite(apy) ? fixing.breakEven(formats.rate(apy, about ? 1 : 2)) : fixing.neverEven}</p>
      {!moreShown && (
        <p className={styles['quiet']}>
          {difference === 0n
            ? fixing.sameAsVariable
            : (difference > 0n ? fixing.moreThanVariable : fixing.lessThanVariable)(amount)}
        </p>
      )}
    </div>
  )
}
