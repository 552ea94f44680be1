import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import styles from './Details.module.css'

/** Codes and hashes for support, collapsed. */
export function Details({ children }: { children: ReactNode }) {
  const { common } = useTexts()
  return (
    <details className={styles['details']}>
      <summary>{common.details}</summary>
      {children}
    </details>
  )
}
