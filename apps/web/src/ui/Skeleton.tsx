import { useEffect, useState } from 'react'
import type { Texts } from '../copy/en.ts'
import { useTexts } from '../copy/words.ts'
import styles from './Skeleton.module.css'

/** Milliseconds before placeholder bars appear. */
const showAfterMs = 150
/** Minimum display time of the bars, in milliseconds, so that they do not flash. */
const stayMs = 300

/** The kind of content being loaded. A key in `copy`. */
export type SkeletonShape = keyof Texts['common']['things']

/** Shows placeholder bars for loading content, after a short delay. */
export function Skeleton({ rows, what }: { rows: number; what: SkeletonShape }) {
  const { common } = useTexts()
  const visible = useSteady(true)
  return (
    <div className={`${styles['skeleton']} ${visible ? '' : styles['early']}`} aria-busy="true">
      <span className="unseen">{common.loading(common.things[what])}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
        <span key={index} className={styles['bar']} />
      ))}
    </div>
  )
}

/**
 * Whether to show placeholder bars for a pending load. Respects the bars' delay and minimum display time.
 */
export function useSteady(pending: boolean): boolean {
  const [shownAt, setShownAt] = useState<number | null>(null)
  useEffect(() => {
    if (pending === (shownAt !== null)) return
    const wait = shownAt === null ? showAfterMs : Math.max(0, shownAt + stayMs - performance.now())
    const timer = setTimeout(() => setShownAt(pending ? performance.now() : null), wait)
    return () => clearTimeout(timer)
  }, [pending, shownAt])
  return shownAt !== null
}
