import type { Pool } from '@firmquote/react'
import type { ReactNode } from 'react'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { Rate } from '../../ui/figures.tsx'
import type { CurvePoint } from './curvePoints.ts'
import styles from './Legend.module.css'

/** Names the plot's marks in one line. */
export function Legend({ points, pool }: { points: readonly CurvePoint[]; pool: Pool }) {
  const { legend } = useRatesTexts().curve
  const isBanded = points.some(({ median, effectiveApy }) => median !== null && median > effectiveApy)
  return (
    <ul className={styles['legend']}>
      {points.some(({ kind }) => kind === 'firm') && (
        <Mark text={legend.firm}>
          <path d="M0 8h28" className={styles['line']} />
          <circle cx="14" cy="8" r="5" className={styles['firm']} />
        </Mark>
      )}
      {points.some(({ kind }) => kind === 'estimate') && (
        <Mark text={legend.estimate}>
          <path d="M0 8h28" className={styles['line']} />
          <circle cx="14" cy="8" r="5.5" className={styles['estimate']} />
        </Mark>
      )}
      {isBanded && (
        <Mark text={legend.band}>
          <rect width="28" height="12" y="2" className={styles['band']} />
        </Mark>
      )}
      <Mark text={legend.variable(<Rate percent={pool.floating.apy} tone="floating" />)}>
        <path d="M0 8h28" className={styles['floating']} />
      </Mark>
    </ul>
  )
}

function Mark({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <li>
      <svg viewBox="0 0 28 16" aria-hidden="true">
        {children}
      </svg>
      <span>{text}</span>
    </li>
  )
}
