import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import styles from './Frame.module.css'

/** The header, an optional banner, the main content and the footer. */
export function Frame(props: { header: ReactNode; banner?: ReactNode; footer: ReactNode; children: ReactNode }) {
  const { app } = useTexts()
  return (
    <>
      {/* A button, since the fragment belongs to the router. */}
      <button type="button" className={styles['skip']} onClick={() => document.getElementById('main')?.focus()}>
        {app.skip}
      </button>
      {props.header}
      {props.banner}
      <main id="main" className={styles['main']} tabIndex={-1}>
        {props.children}
      </main>
      {props.footer}
    </>
  )
}
