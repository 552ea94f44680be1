import { serverNow } from '@firmquote/react'

const minuteMs = 60_000

/**
 * Returns the server time of a query's last response, in Unix seconds, rounded up to the minute. Figures computed from
 * a response use this time, so that they neither drift between responses nor differ between views.
 */
export function useAsOf({ dataUpdatedAt }: { dataUpdatedAt: number }): number {
  const ahead = serverNow() - Date.now()
  return Math.ceil((dataUpdatedAt + ahead) / minuteMs) * (minuteMs / 1000)
}
