import { useSyncExternalStore } from 'react'
import { useTexts } from '../copy/words.ts'
import { subscribeToNetwork } from '../service/subscribeToNetwork.ts'
import { Button } from './Button.tsx'
import { missingFiles } from './loadView.ts'
import { EmptyState } from './Notice.tsx'
import { Skeleton, type SkeletonShape } from './Skeleton.tsx'

/** Shown while a view's file loads: placeholder bars, or why the file cannot be loaded and a button to try again. */
export function LoadingView({ rows, what }: { rows: number; what: SkeletonShape }) {
  const { common } = useTexts()
  const missing = useSyncExternalStore(missingFiles.subscribe, missingFiles.current)
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  if (!missing) return <Skeleton rows={rows} what={what} />
  return (
    <EmptyState
      title={common.notLoaded(common.things[what])}
      action={<Button onClick={missingFiles.retry}>{common.tryAgain}</Button>}
    >
      {online ? common.fileUnanswered : common.fileOffline}
    </EmptyState>
  )
}
