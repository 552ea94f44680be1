import type { ReactNode } from 'react'
import { pages } from '../routes.ts'
import styles from './Header.module.css'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/** The name, where one can go, and at the end what belongs to the visitor: a wallet, light or dark. */
export function Header({ path, children }: { path?: string; children?: ReactNode }) {
  return (
    <header className={styles['header']}>
      <div className={styles['line']}>
        <a className={styles['name']} href="#/">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" className={styles['mark']} />
            <path d="M7 21c3-8 5-8 8-3s5 3 5 3" className={styles['wave']} />
            <path d="M7 12h18" className={styles['bar']} />
          </svg>
          Firmquote
        </a>
        <nav aria-label="Pages" className={styles['pages']}>
          {pages.map((page) => (
            <a key={page.path} href={`#${page.path}`} aria-current={isWithin(path, page.path) ? 'page' : undefined}>
              {page.title}
            </a>
          ))}
        </nav>
        <div className={styles['own']}>
          {children}
          <ThemeSwitch />
        </div>
      </div>
    </header>
  )
}

function isWithin(path: string | undefined, page: string): boolean {
  return path === page || (page !== '/' && path?.startsWith(`${page}/`) === true)
}
