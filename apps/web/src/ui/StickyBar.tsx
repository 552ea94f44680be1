import type { ReactNode } from 'react'
import styles from './StickyBar.module.css'

/**
 * A bar with an action's button and result. Sticks to the bottom of small windows, or of all windows if `always` is
 * set. The bar sticks within its parent, which must not be a grid.
 */
export function StickyBar(props: { summary: ReactNode; always?: boolean; children: ReactNode }) {
  const { summary, always = false, children } = props
  return (
    <div className={`${styles['bar']} ${always ? styles['always'] : ''}`} data-print="no">
      <div className={styles['summary']}>{summary}</div>
      <div className={styles['action']}>{children}</div>
    </div>
  )
}
