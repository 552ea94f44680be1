import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import styles from './Frame.module.css'

/** Renders the header, an optional banner, the main content and the footer. */
export function Frame(props: { header: ReactNode; banner?: ReactNode; footer: ReactNode; children: ReactNode }) {
  const { app } = useTexts()
  return (
    <>
      {/* A button instead of a link, because the router uses the fragment. */}
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
