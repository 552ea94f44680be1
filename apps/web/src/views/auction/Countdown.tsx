import { useServerNow } from '@firmquote/react'
import { useTexts } from '../../copy/words.ts'
import styles from './Countdown.module.css'

/** An auction's remaining time by the server's clock. Times are in Unix milliseconds. */
export function Countdown({ openedAt, closesAt }: { openedAt: number; closesAt: number }) {
  const { auction } = useTexts()
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const now = useServerNow({ intervalMs: calm ? 1_000 : 100 })
  const leftMs = Math.min(Math.max(0, closesAt - now), closesAt - openedAt)
  const share = closesAt > openedAt ? leftMs / (closesAt - openedAt) : 0
  return (
    // Screen readers do not announce changes to a timer.
    <div role="timer" className={styles['countdown']} aria-label={auction.timeLeft}>
      <svg viewBox="0 0 100 100" aria-hidden="true">
        <circle cx="50" cy="50" r="45" className={styles['track']} />
        <circle cx="50" cy="50" r="45" pathLength="1" strokeDasharray={`${share} 1`} className={styles['rest']} />
      </svg>
      <p>
        <span className={styles['seconds']}>{Math.ceil(leftMs / 1000)}</span>
        <span className={styles['unit']}>
          {leftMs > 0 ? auction.seconds(Math.ceil(leftMs / 1000)) : auction.closing}
        </span>
      </p>
    </div>
  )
}
