import { serverNow } from '@firmquote/react'

const minuteMs = 60_000

/**
 * The service's time when a query was last answered, as the end of that minute, Unix seconds. Figures that follow from an answer are
 * as of then: they do not go on by themselves while no new one comes, and views that are opened one after the other say the same.
 */
export function useAsOf({ dataUpdatedAt }: { dataUpdatedAt: number }): number {
  const ahead = serverNow() - Date.now()
  return Math.ceil((dataUpdatedAt + ahead) / minuteMs) * (minuteMs / 1000)
}
