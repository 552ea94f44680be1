import type { ReactNode } from 'react'
import styles from './Frame.module.css'

/** A header, what the page is about, and a foot. */
export function Frame({ header, children }: { header: ReactNode; children: ReactNode }) {
  return (
    <>
      {/* Not a link: the fragment belongs to the routes. */}
      <button type="button" className={styles['skip']} onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      {header}
      <main id="main" className={styles['main']} tabIndex={-1}>
        {children}
      </main>
      <footer className={styles['foot']}>
        <p>Firmquote finds and checks quotes. It never holds funds, and it cannot move any.</p>
        <a href="/docs">API</a>
      </footer>
    </>
  )
}
