import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { explainError } from '../copy/explainError.ts'
import { useWords } from '../copy/words.ts'
import { isUnanswered } from '../service/isUnanswered.ts'
import styles from './Loaded.module.css'
import { ErrorState } from './Notice.tsx'
import { Skeleton, type SkeletonShape, useSteady } from './Skeleton.tsx'
import { useFailure } from './useFailure.ts'

/**
 * Shows a query's result in a panel: placeholder bars while loading, then the data or an error. If the last refetch
 * failed, a line above the data says so. If the service does not respond at all, only the app-wide banner says so.
 */
export function Loaded<T>(props: {
  query: UseQueryResult<T>
  what: SkeletonShape
  rows?: number
  children: (data: T) => ReactNode
}) {
  const { data, refetch, isFetching } = props.query
  const words = useWords()
  const { common } = words.texts
  const failure = useFailure(props.query)
  const bars = useSteady(data === undefined && failure === null)
  if (data === undefined && failure !== null) {
    if (isUnanswered(failure)) return <p className={styles['waiting']}>{common.comesOnceAnswered}</p>
    const retry = () => void refetch()
    const title = common.notLoaded(common.things[props.what])
    return <ErrorState error={failure} title={title} onRetry={retry} retrying={isFetching} />
  }
  // The same element covers the whole wait, including the bars' minimum display time.
  if (data === undefined || bars) return <Skeleton rows={props.rows ?? 3} what={props.what} />
  return (
    <>
      {failure && !isUnanswered(failure) && (
        <p className={styles['stale']}>{common.notUpToDate(explainError(failure, words).message)}</p>
      )}
      {props.children(data)}
    </>
  )
}
