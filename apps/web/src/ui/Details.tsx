import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import styles from './Details.module.css'

/** A collapsible section, initially closed, with codes and hashes for support. */
export function Details({ children }: { children: ReactNode }) {
  const { common } = useTexts()
  return (
    <details className={styles['details']}>
      <summary>{common.details}</summary>
      {children}
    </details>
  )
}
