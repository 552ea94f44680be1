import { serverNow } from '@firmquote/react'

const minuteMs = 60_000

/**
 * The service's time of a query's last answer, rounded up to the minute, in Unix seconds. Figures computed from an
 * answer use this time. They do not drift without a new answer, and consecutive views agree.
 */
export function useAsOf({ dataUpdatedAt }: { dataUpdatedAt: number }): number {
  const ahead = serverNow() - Date.now()
  return Math.ceil((dataUpdatedAt + ahead) / minuteMs) * (minuteMs / 1000)
}
