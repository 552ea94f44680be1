import type { ReactNode } from 'react'
import styles from './Narrow.module.css'

/** The narrow column that a form or a review is read in, 640 px, in the middle of the page. */
export function Narrow({ children }: { children: ReactNode }) {
  return <div className={styles['narrow']}>{children}</div>
}
