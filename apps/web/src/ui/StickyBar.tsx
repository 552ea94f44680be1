import type { ReactNode } from 'react'
import styles from './StickyBar.module.css'

/**
 * What the action comes to, and the action: at the bottom of the window where it is small, or `always`, so that both are always in
 * reach. It sticks within its parent, which must not be a grid.
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
