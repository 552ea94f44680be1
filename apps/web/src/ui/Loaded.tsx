import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explainError } from './explainError.ts'
import styles from './Loaded.module.css'
import { ErrorState } from './Notice.tsx'

/**
 * What a panel shows of a query: bars while it loads, the error if there is no answer, else the answer; with a line above
 * it when the answer is an old one because the last question failed.
 */
export function Loaded<T>(props: {
  query: UseQueryResult<T>
  /** What is being loaded, as in 'pools'. */
  what: string
  rows?: number
  children: (data: T) => ReactNode
}) {
  const { data, error, refetch } = props.query
  const retry = () => void refetch()
  if (data === undefined) {
    if (error) return <ErrorState error={error} title={`Could not load ${props.what}`} onRetry={retry} />
    return <Skeleton rows={props.rows ?? 3} what={props.what} />
  }
  return (
    <>
      {error && <p className={styles['stale']}>Not up to date: {explainError(error).message}</p>}
      {props.children(data)}
    </>
  )
}

/** Bars where something will be. */
export function Skeleton({ rows, what }: { rows: number; what: string }) {
  return (
    <div className={styles['skeleton']} aria-busy="true">
      <span className="unseen">Loading {what}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
        <span key={index} className={styles['bar']} />
      ))}
    </div>
  )
}
