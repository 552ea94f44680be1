import type { ReactNode } from 'react'
import styles from './Tag.module.css'

/** A label on a row: `firm` for a takeable offer, `indicative` for an observed rate, `bad` for an unusable offer. */
export function Tag({ tone, children }: { tone: 'firm' | 'indicative' | 'bad'; children: ReactNode }) {
  return <span className={`${styles['tag']} ${styles[tone]}`}>{children}</span>
}
