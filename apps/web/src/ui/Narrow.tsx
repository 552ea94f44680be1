import type { ReactNode } from 'react'
import styles from './Narrow.module.css'

/** A narrow, centred column (640 px) for forms and reviews. */
export function Narrow({ children }: { children: ReactNode }) {
  return <div className={styles['narrow']}>{children}</div>
}
