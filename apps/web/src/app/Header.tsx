import type { ReactNode } from 'react'
import { useTexts } from '../copy/words.ts'
import { pages } from '../routes.ts'
import { Button } from '../ui/Button.tsx'
import styles from './Header.module.css'
import { ThemeSwitch } from './ThemeSwitch.tsx'

const pagesId = 'pages'

/**
 * Renders the app's name, the navigation, the wallet menu and the theme switch. If there is no room for the navigation,
 * a button opens it.
 */
export function Header({ path, children }: { path?: string; children?: ReactNode }) {
  const { app } = useTexts()
  return (
    <header className={styles['header']}>
      <div className={styles['line']}>
        <a className={styles['name']} href="#/">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" className={styles['mark']} />
            <path d="M7 21c3-8 5-8 8-3s5 3 5 3" className={styles['wave']} />
            <path d="M7 12h18" className={styles['bar']} />
          </svg>
          <span className={styles['word']}>{app.name}</span>
        </a>
        {/* Acts as a popover only while its button is visible. Otherwise, it is inline. */}
        <nav id={pagesId} popover="auto" aria-label={app.navigation} className={styles['pages']}>
          {pages.map((page) => (
            <a
              key={page.path}
              href={`#${page.path}`}
              aria-current={isWithin(path, page.path) ? 'page' : undefined}
              onClick={() => document.getElementById(pagesId)?.hidePopover?.()}
            >
              {app.pages[page.name]}
            </a>
          ))}
        </nav>
        <div className={styles['own']}>
          {children}
          <ThemeSwitch />
          <Button className={styles['menu']} popoverTarget={pagesId} aria-haspopup="true" aria-label={app.menu}>
            <svg viewBox="0 0 16 16" width="16" aria-hidden="true">
              <path d="M2 4h12M2 8h12M2 12h12" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
            </svg>
          </Button>
        </div>
      </div>
    </header>
  )
}

function isWithin(path: string | undefined, page: string): boolean {
  return path === page || (page !== '/' && path?.startsWith(`${page}/`) === true)
}
