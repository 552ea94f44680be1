import type { ReactNode } from 'react'
import { explainError } from '../copy/explainError.ts'
import { useWords } from '../copy/words.ts'
import { Button } from './Button.tsx'
import { Details } from './Details.tsx'
import styles from './Notice.module.css'

/** A boxed message. Use `danger` for errors and `warning` for risks. */
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

/** Explains that there is no content yet, and how to change that. */
export function EmptyState(props: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <p className={styles['title']}>{props.title}</p>
      {props.children !== undefined && <p>{props.children}</p>}
      {props.action}
    </div>
  )
}

/**
 * Explains an error in one sentence, with its code and original message under "Details". `title` names the failed
 * action.
 */
export function ErrorState(props: { error: Error; title: string; onRetry?: () => void; retrying?: boolean }) {
  const { error, title, onRetry, retrying = false } = props
  const words = useWords()
  const { common } = words.texts
  const { message, code, requestId, cause } = explainError(error, words)
  return (
    <Notice
      tone="danger"
      title={title}
      action={
        onRetry && (
          <Button onClick={onRetry} busy={retrying}>
            {common.tryAgain}
          </Button>
        )
      }
    >
      <p>{message}</p>
      <Details>
        <p className={styles['code']}>
          {[code, ...(requestId === undefined ? [] : [common.request(requestId)])].join(' · ')}
        </p>
        <p>{cause}</p>
      </Details>
    </Notice>
  )
}
