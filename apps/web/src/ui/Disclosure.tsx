import { type ReactNode, useEffect, useState } from 'react'
import styles from './Disclosure.module.css'

/**
 * A collapsible section. The section opens when `open` becomes true, for example when something inside fails. It never
 * closes automatically.
 */
export function Disclosure(props: {
  title: ReactNode
  /** A count or state shown at the end of the title line. */
  note?: ReactNode
  open?: boolean
  children: ReactNode
}) {
  const { open = false } = props
  const [shown, setShown] = useState(open)
  useEffect(() => {
    if (open) setShown(true)
  }, [open])
  return (
    <details
      className={styles['disclosure']}
      open={shown}
      onToggle={({ currentTarget }) => setShown(currentTarget.open)}
    >
      <summary>
        <svg viewBox="0 0 16 16" width="16" aria-hidden="true">
          <path d="M6 4l4 4-4 4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
        </svg>
        <span className={styles['title']}>{props.title}</span>
        {props.note !== undefined && <span className={styles['note']}>{props.note}</span>}
      </summary>
      <div className={styles['body']}>{props.children}</div>
    </details>
  )
}
