import { secondsPerYear } from '@firmquote/core'
import type { Pool } from '@firmquote/react'
import { useTexts } from '../../copy/words.ts'
import { compareAtRate } from '../../fixing/outcome/comparison.ts'
import { Amount, Rate } from '../../ui/figures.tsx'
import styles from './Legend.module.css'

/** Explains the plot's marks. */
export function Legend({ pool, size, firmOnly }: { pool: Pool; size: bigint; firmOnly: boolean }) {
  const { common, curve } = useTexts()
  const { legend } = curve
  const { floating, loanToken } = pool
  const aYear = { notional: size, cost: 0n, from: 0, expiry: secondsPerYear }
  return (
    <ul className={styles['legend']}>
      <li>
        <svg viewBox="0 0 28 16" aria-hidden="true">
          <path d="M0 8h28" className={styles['line']} />
          <circle cx="14" cy="8" r="5" className={styles['firm']} />
        </svg>
        <p>
          <strong>{legend.firm}</strong> {legend.firmIs}
        </p>
      </li>
      {!firmOnly && (
        <li>
          <svg viewBox="0 0 28 16" aria-hidden="true">
            <circle cx="14" cy="8" r="5.5" className={styles['estimate']} />
          </svg>
          <p>
            <strong>{legend.estimate}</strong> {legend.estimateIs}
          </p>
        </li>
      )}
      <li>
        <svg viewBox="0 0 28 16" aria-hidden="true">
          <path d="M0 8h28" className={styles['floating']} />
        </svg>
        <p>
          <strong>{common.names.floatingToday}</strong>{' '}
          {legend.floatingIs(
            <Rate percent={floating.apy} tone="floating" />,
            <Amount value={compareAtRate(aYear, floating.ratePerSec).floatingCost} token={loanToken} />,
          )}
        </p>
      </li>
    </ul>
  )
}
