// Why: docs/decisions/0057-web-app-design.md
import type { Query, QueryCache } from '@tanstack/react-query'
import { isUnanswered } from '../service/isUnanswered.ts'

/**
 * An outage of the service. `answeredAt` is the time, in Unix milliseconds, of the oldest response that could not be
 * refreshed, or null.
 */
export type Outage = { answeredAt: number | null }

/** Reports outages, for `useSyncExternalStore`. */
export type OutageWatch = {
  subscribe(listener: () => void): () => void
  current(): Outage | null
}

/**
 * Detects outages from the results of the app's queries. An outage starts when a query gets no response. It ends when
 * all unanswered queries still in use have succeeded, so that it does not flicker during retries. Any response triggers
 * a retry of the unanswered queries.
 */
export function watchOutages(cache: QueryCache): OutageWatch {
  const unanswered = new Set<Query>()
  const listeners = new Set<() => void>()
  let outage: Outage | null = null
  const update = () => {
    const next = describe(unanswered)
    if (next?.answeredAt === outage?.answeredAt && (next === null) === (outage === null)) return
    outage = next
    for (const listener of listeners) listener()
  }
  // Subscribed for the app's lifetime.
  cache.subscribe((event) => {
    const { query } = event
    if (event.type === 'removed' || (event.type === 'observerRemoved' && query.getObserversCount() === 0)) {
      unanswered.delete(query)
    } else if (event.type === 'updated' && event.action.type === 'error') {
      if (isUnanswered(event.action.error)) unanswered.add(query)
      else unanswered.delete(query)
    } else if (event.type === 'updated' && event.action.type === 'success') {
      unanswered.delete(query)
      // The service is back. Retries unanswered queries now, because their next poll may be minutes away. Data set by
      // the app itself does not count as a response.
      if (!event.action.manual) for (const other of unanswered) void other.fetch().catch(() => {})
    } else return
    update()
  })
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    current: () => outage,
  }
}

function describe(unanswered: ReadonlySet<Query>): Outage | null {
  if (unanswered.size === 0) return null
  const times = [...unanswered].map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0)
  return { answeredAt: times.length === 0 ? null : Math.min(...times) }
}
