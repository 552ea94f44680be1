import { hashKey, type Query, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { entryOf, type Signs } from './judgeTrouble.ts'
import type { OutageWatch } from './outageWatch.ts'

/**
 * What tells of trouble beside the service's own health. Once an outage is over, all that it has stopped is asked again.
 *
 * @param healthKey of the question that is asked again as soon as the network comes or goes.
 */
export function useSigns(watch: OutageWatch, healthKey: QueryKey): Omit<Signs, 'health'> {
  const queries = useQueryClient()
  const outage = useSyncExternalStore(watch.subscribe, watch.current)
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  const [newerPage, setNewerPage] = useState(false)
  const isOut = outage !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: what has changed is the reason to ask
  useEffect(() => {
    void queries.refetchQueries({ queryKey: healthKey, exact: true, type: 'active' })
  }, [online, queries, hashKey(healthKey)])

  // Where the service's health is known and something else is not, health is asked more often: with each answer the rest is asked again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the key its hash
  useEffect(() => {
    if (!isOut) return
    const health = { queryKey: healthKey, exact: true, predicate: ({ state }: Query) => state.error === null }
    const timer = setInterval(() => void queries.refetchQueries(health, { cancelRefetch: false }), 5_000)
    return () => clearInterval(timer)
  }, [isOut, queries, hashKey(healthKey)])

  // A service that was away may have come back with another page.
  useEffect(() => {
    if (!isOut) return
    return () => {
      void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
      void isOutdated().then(setNewerPage)
    }
  }, [isOut, queries])

  return { outage, online, newerPage }
}

function subscribeToNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Whether the server has a page that begins with another file than this one. What cannot be read is no newer page. */
async function isOutdated(): Promise<boolean> {
  const own = entryOf(document.documentElement.outerHTML)
  const served = await fetch(location.pathname, { cache: 'no-store' }).then(
    async (answer) => (answer.ok ? entryOf(await answer.text()) : null),
    () => null,
  )
  return served !== null && served !== own
}
