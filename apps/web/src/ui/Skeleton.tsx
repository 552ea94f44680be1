import { useEffect, useState } from 'react'
import type { Texts } from '../copy/en.ts'
import { useTexts } from '../copy/words.ts'
import styles from './Skeleton.module.css'

/** What loads sooner than this shows no bars. */
const showAfterMs = 150
/** Bars that have been shown stay this long, so that they do not flash. */
const stayMs = 300

/** What is being loaded: a name in the catalogue. */
export type SkeletonShape = keyof Texts['common']['things']

/** Bars where something will be, after a moment in which their place is empty. */
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

/** Whether bars are to be shown for something that is pending, and for the moment that they stay after it is there. */
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
