import type { ReactNode } from 'react'
import styles from './Tag.module.css'

/** A word about a row. `firm` is for what can be taken, `indicative` for what was seen, `bad` for what cannot be used. */
export function Tag({ tone, children }: { tone: 'firm' | 'indicative' | 'bad'; children: ReactNode }) {
  return <span className={`${styles['tag']} ${styles[tone]}`}>{children}</span>
}
