import { type Pool, useRateHistory } from '@firmquote/react'
import { useWords } from '../../copy/words.ts'
import { Amount } from '../../ui/figures.tsx'
import type { FixedPrice } from './comparison.ts'
import { effectiveApyOf } from './effectiveApy.ts'
import { payoffAt } from './payoffAt.ts'
import styles from './Scenarios.module.css'
import { readingsAbove, scenarioRates } from './scenarios.ts'

/** A history of at least so many days counts as a year. */
const yearDays = 360

/** The total costs of a debt at four variable rates, fixed and not, and how often fixing would have paid. */
export function Scenarios({ price, pool }: { price: FixedPrice; pool: Pool }) {
  const { texts, formats } = useWords()
  const { scenarios } = texts.fixing
  const { loanToken: token, floating } = pool
  const fixing = { notional: price.notional, cost: price.cost, seconds: price.expiry - price.from }
  const rates = scenarioRates(floating.apy)
  return (
    <div className={styles['scenarios']}>
      {rates.length > 0 && (
        <table className={styles['table']}>
          <caption className="unseen">{scenarios.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{scenarios.average}</th>
              <th scope="col">{scenarios.fixed}</th>
              <th scope="col">{scenarios.variable}</th>
            </tr>
          </thead>
          <tbody>
            {rates.map((rate) => {
              const { fixedTotal, floatingTotal } = payoffAt(fixing, rate)
              return (
                <tr key={rate} data-average={rate}>
                  <th scope="row">{formats.rate(rate, Number.isInteger(rate) ? 0 : 1)}</th>
                  <td data-lower={fixedTotal < floatingTotal}>
                    <Amount cost value={fixedTotal} token={token} />
                  </td>
                  <td data-lower={floatingTotal < fixedTotal}>
                    <Amount cost value={floatingTotal} token={token} />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <p className={styles['note']}>{scenarios.note(<Amount value={price.notional} token={token} />)}</p>
      <DaysAbove percent={effectiveApyOf({ ...price, vrtAmount: price.cost }, price.expiry, price.from)} pool={pool} />
    </div>
  )
}

/** The share of the last 12 months' days on which the variable rate was above `percent`. Nothing while unknown. */
function DaysAbove({ percent, pool }: { percent: number; pool: Pool }) {
  const { texts, formats } = useWords()
  const { data } = useRateHistory({ poolId: pool.poolId })
  const { scenarios } = texts.fixing
  if (!data || !Number.isFinite(percent)) return null
  const { above, known, days } = readingsAbove(data, percent)
  if (known === 0) return null
  const rate = formats.rate(percent)
  const share = formats.rate((100 * above) / known, 0)
  return <p>{days >= yearDays ? scenarios.inYear(rate, share) : scenarios.inDays(rate, share, days)}</p>
}
