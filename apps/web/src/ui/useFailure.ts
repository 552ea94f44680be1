import { useState } from 'react'

/**
 * A query's last error until it succeeds. `error` itself is null while a query without data is retried, so that an
 * error message would flicker.
 */
export function useFailure({ error, isSuccess }: { error: Error | null; isSuccess: boolean }): Error | null {
  const [failure, setFailure] = useState(error)
  const next = error ?? (isSuccess ? null : failure)
  if (next !== failure) setFailure(next)
  return next
}
