import { useState } from 'react'

/**
 * The last error of a query until it has succeeded. `error` itself is null for as long as a query that never had an answer asks
 * again, so that what shows it would come and go.
 */
export function useFailure({ error, isSuccess }: { error: Error | null; isSuccess: boolean }): Error | null {
  const [failure, setFailure] = useState(error)
  const next = error ?? (isSuccess ? null : failure)
  if (next !== failure) setFailure(next)
  return next
}
