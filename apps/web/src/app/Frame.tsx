import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import styles from './Frame.module.css'

/** A header, a banner above all else where there is one, what the page is about, and a foot. */
export function Frame(props: { header: ReactNode; banner?: ReactNode; footer: ReactNode; children: ReactNode }) {
  const { app } = useTexts()
  return (
    <>
      {/* Not a link: the fragment belongs to the routes. */}
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
