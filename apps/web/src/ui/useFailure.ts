import { useState } from 'react'

/**
 * Returns a query's last error until the query succeeds. Prevents error messages from flickering: while a query without
 * data is being retried, its `error` is null.
 */
export function useFailure({ error, isSuccess }: { error: Error | null; isSuccess: boolean }): Error | null {
  const [failure, setFailure] = useState(error)
  const next = error ?? (isSuccess ? null : failure)
  if (next !== failure) setFailure(next)
  return next
}
