import { useId } from 'react'
import type { Hex } from 'viem'
import type { Pool } from '../../service/serviceContext.ts'
import { Amount, Maturity, Rate } from '../../ui/figures.tsx'
import styles from './SeriesChoice.module.css'

/** The pool's active series, each with the best rate that was seen there lately and with what it can still take. */
export function SeriesChoice(props: {
  pool: Pool
  /** The best known of each series, simple APR in percent. */
  rates: ReadonlyMap<Hex, number>
  value: Hex | null
  error: string | undefined
  onChange: (seriesKey: Hex) => void
}) {
  const { pool, rates, value, error, onChange } = props
  const id = useId()
  return (
    <div
      role="radiogroup"
      aria-labelledby={`${id}-title`}
      aria-invalid={error === undefined ? undefined : true}
      aria-describedby={`${id}-note`}
    >
      <p id={`${id}-title`} className={styles['title']}>
        Maturity
      </p>
      <div className={`${styles['list']} ${error === undefined ? '' : styles['wrong']}`}>
        {pool.series.map(({ seriesKey, expiry, capacity }) => (
          <label key={seriesKey} className={styles['series']}>
            <input
              type="radio"
              name={id}
              value={seriesKey}
              checked={seriesKey === value}
              onChange={() => onChange(seriesKey)}
            />
            <span>
              <Maturity expiry={expiry} />
            </span>
            <span className={styles['rate']}>
              <BestKnown apr={rates.get(seriesKey)} />
              <span className={styles['room']}>
                room for <Amount value={capacity} token={pool.loanToken} />
              </span>
            </span>
          </label>
        ))}
      </div>
      <p id={`${id}-note`} className={error === undefined ? styles['hint'] : styles['error']}>
        {error ?? 'The best rates known for about this amount, for any borrower. What you are quoted may differ.'}
      </p>
    </div>
  )
}

function BestKnown({ apr }: { apr: number | undefined }) {
  if (apr === undefined) return <span className={styles['none']}>no rate known</span>
  return (
    <span>
      best known <Rate percent={apr} />
    </span>
  )
}
