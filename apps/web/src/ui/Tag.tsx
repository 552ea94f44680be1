import type { ReactNode } from 'react'
import styles from './Tag.module.css'

/** A label on a row. `firm`: can be taken; `indicative`: was seen; `bad`: unusable. */
export function Tag({ tone, children }: { tone: 'firm' | 'indicative' | 'bad'; children: ReactNode }) {
  return <span className={`${styles['tag']} ${styles[tone]}`}>{children}</span>
}
