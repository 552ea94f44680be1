import type { ReactNode } from 'react'
import styles from './Banner.module.css'

/**
 * A full-width message about the state of the whole app, such as an outage, shown until that state ends. Not a live
 * region, because its text may change every second.
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
