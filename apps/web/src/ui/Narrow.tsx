import type { ReactNode } from 'react'
import styles from './Narrow.module.css'

/** A centred narrow column for forms and reviews, 640 px wide. */
export function Narrow({ children }: { children: ReactNode }) {
  return <div className={styles['narrow']}>{children}</div>
}
