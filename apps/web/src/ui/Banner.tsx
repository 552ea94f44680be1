import type { ReactNode } from 'react'
import styles from './Banner.module.css'

/**
 * One line across the page about all of it, such as an outage: it stays until that is over. It says nothing aloud by
 * itself, since what it tells may change each second.
 */
export function Banner(props: { tone?: 'plain' | 'warning'; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <section
      className={`${styles['banner']} ${props.tone === 'plain' ? '' : styles['warning']}`}
      aria-label={props.title}
    >
      <div className={styles['line']}>
        <p>
          <strong>{props.title}.</strong> {props.children}
        </p>
        {props.action}
      </div>
    </section>
  )
}
