import { floatingCost } from '../../service/floatingCost.ts'
import type { Pool } from '../../service/serviceContext.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import styles from './Legend.module.css'

const secondsPerYear = 31_536_000

/** What the marks of the plot mean. */
export function Legend({ pool, size, firmOnly }: { pool: Pool; size: bigint; firmOnly: boolean }) {
  const { floating, loanToken } = pool
  return (
    <ul className={styles['legend']}>
      <li>
        <svg viewBox="0 0 28 16" aria-hidden="true">
          <path d="M0 8h28" className={styles['line']} />
          <circle cx="14" cy="8" r="5" className={styles['firm']} />
        </svg>
        <p>
          <strong>Firm</strong> signed, can be taken
        </p>
      </li>
      {!firmOnly && (
        <li>
          <svg viewBox="0 0 28 16" aria-hidden="true">
            <circle cx="14" cy="8" r="5.5" className={styles['indicative']} />
          </svg>
          <p>
            <strong>Indicative</strong> seen in an auction, cannot be taken
          </p>
        </li>
      )}
      <li>
        <svg viewBox="0 0 28 16" aria-hidden="true">
          <path d="M0 8h28" className={styles['floating']} />
        </svg>
        <p>
          <strong>Floating today</strong> <Rate percent={floating.apr} tone="floating" />,{' '}
          <Amount value={floatingCost(size, floating.ratePerSec, secondsPerYear)} token={loanToken} /> a year if it
          stays
        </p>
      </li>
    </ul>
  )
}
