// Why: docs/decisions/0057-web-app-design.md
import type { Query, QueryCache } from '@tanstack/react-query'
import { isUnanswered } from '../service/isUnanswered.ts'

/**
 * That the service does not answer. `answeredAt` is when what is shown was true: the oldest answer among those that could
 * not be renewed, in Unix milliseconds; null when there is none.
 */
export type Outage = { answeredAt: number | null }

/** Tells of outages, for `useSyncExternalStore`. */
export type OutageWatch = {
  subscribe(listener: () => void): () => void
  current(): Outage | null
}

/**
 * Watches what the page asks the service. An outage begins when a question stays without an answer, and ends when each of those
 * that are still asked has one: it does not come and go while questions are repeated. With each answer those without one are asked again.
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
  // As long as the page: it is never taken back.
  cache.subscribe((event) => {
    const { query } = event
    if (event.type === 'removed' || (event.type === 'observerRemoved' && query.getObserversCount() === 0)) {
      unanswered.delete(query)
    } else if (event.type === 'updated' && event.action.type === 'error') {
      if (isUnanswered(event.action.error)) unanswered.add(query)
      else unanswered.delete(query)
    } else if (event.type === 'updated' && event.action.type === 'success') {
      unanswered.delete(query)
      // The service is there: what it has not answered is not left to its own turn, which may be minutes away. What the page
      // itself has put there is no answer.
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
