import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import { contractsHref, howHref } from '../routes.ts'
import styles from './Footer.module.css'
import { LanguageSwitch } from './LanguageSwitch.tsx'

/** Explains what the service is and is not, links to the documentation, and shows the service's state. */
export function Footer({ children }: { children?: ReactNode }) {
  const { app } = useTexts()
  return (
    <footer className={styles['foot']}>
      <p>{app.foot}</p>
      <nav aria-label={app.about} className={styles['links']}>
        <a href={howHref()}>{app.pages.how}</a>
        <a href={contractsHref}>{app.contracts}</a>
        <a href="/docs">{app.api}</a>
        <a href="/THIRD_PARTY_LICENSES.txt">{app.licences}</a>
        {children}
      </nav>
      <LanguageSwitch />
    </footer>
  )
}
