import type { RFQResult } from '@firmquote/sdk'
import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** Calls back once a cached auction has closed, whatever the current view. */
export function whenClosed(cache: QueryClient, key: QueryKey, onClose: (auction: RFQResult) => void): void {
  const isDone = (auction: RFQResult | undefined) => {
    if (auction?.status !== 'closed') return false
    onClose(auction)
    return true
  }
  if (isDone(cache.getQueryData<RFQResult>(key))) return
  const hash = hashKey(key)
  const stop = cache.getQueryCache().subscribe(({ query }) => {
    if (query.queryHash === hash && query.state.data?.status === 'closed') {
      stop()
      isDone(query.state.data)
    }
  })
}
