import type { Pool } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { Amount } from '../../ui/figures.tsx'
import { priceAttributes, type Standing } from '../offers/priceAttributes.ts'
import styles from './Comparison.module.css'
import { compareWithFloating, type FixedPrice } from './comparison.ts'

/**
 * Compares a price with the floating rate: the cost over the term, the break-even average and the yearly difference,
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
  const { loanToken: token, floating } = pool
  const { seconds, breakEvenApr, moreForTerm, moreAYear } = compareWithFloating(price, floating.ratePerSec)
  const amount = (value: bigint) => <Amount value={value < 0n ? -value : value} token={token} />
  return (
    <div className={styles['comparison']} {...priceAttributes(price, standing)}>
      {!costShown && (
        <p className={styles['cost']}>
          {(standing === 'estimate' ? fixing.estimatedCost : fixing.cost)(
            <Amount cost value={price.cost} token={token} />,
            formats.time(seconds),
          )}
        </p>
      )}
      <p>{fixing.breakEven(formats.rate(breakEvenApr), formats.day(price.expiry))}</p>
      <p className={styles['quiet']}>
        {moreForTerm === 0n
          ? fixing.sameAsFloating
          : moreShown
            ? (moreForTerm > 0n ? fixing.moreAYear : fixing.lessAYear)(amount(moreAYear))
            : (moreForTerm > 0n ? fixing.moreThanFloating : fixing.lessThanFloating)(
                amount(moreForTerm),
                amount(moreAYear),
              )}
      </p>
    </div>
  )
}
