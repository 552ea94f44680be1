import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { explainError } from './explainError.ts'
import styles from './Notice.module.css'

/** Something to know, in a box. `danger` is for what has gone wrong, `warning` for what may. */
export function Notice(props: {
  tone?: 'plain' | 'warning' | 'danger'
  title?: string
  children?: ReactNode
  action?: ReactNode
}) {
  const { tone = 'plain' } = props
  return (
    <div className={`${styles['notice']} ${styles[tone] ?? ''}`} role={tone === 'danger' ? 'alert' : undefined}>
      <div>
        {props.title !== undefined && <p className={styles['title']}>{props.title}</p>}
        {props.children}
      </div>
      {props.action}
    </div>
  )
}

/** Nothing there, and what would change that. */
export function EmptyState(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p className={styles['title']}>{props.title}</p>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.action}
    </div>
  )
}

/** What went wrong, in the words of the program that refused, with its code. `title` says what the page was about to do. */
export function ErrorState({ error, title, onRetry }: { error: Error; title: string; onRetry?: () => void }) {
  const { message, code, requestId } = explainError(error)
  return (
    <Notice tone="danger" title={title} action={onRetry && <Button onClick={onRetry}>Try again</Button>}>
      <p>{message}</p>
      {code !== undefined && (
        <p className={styles['code']}>
          {code}
          {requestId !== undefined && ` · request ${requestId}`}
        </p>
      )}
    </Notice>
  )
}
