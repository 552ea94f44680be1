import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import styles from './Details.module.css'

/** What somebody who helps may ask for, folded: codes, hashes. */
export function Details({ children }: { children: ReactNode }) {
  const { common } = useTexts()
  return (
    <details className={styles['details']}>
      <summary>{common.details}</summary>
      {children}
    </details>
  )
}
