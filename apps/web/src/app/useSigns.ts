import { hashKey, type Query, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { entryOf, type Signs } from './judgeTrouble.ts'
import type { OutageWatch } from './outageWatch.ts'

/**
 * Signs of trouble other than the service's health. After an outage it refetches everything that failed.
 *
 * @param healthKey key of the health query, which is refetched when the network changes.
 */
export function useSigns(watch: OutageWatch, healthKey: QueryKey): Omit<Signs, 'health'> {
  const queries = useQueryClient()
  const outage = useSyncExternalStore(watch.subscribe, watch.current)
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  const [newerPage, setNewerPage] = useState(false)
  const isOut = outage !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: a change is the reason to refetch
  useEffect(() => {
    void queries.refetchQueries({ queryKey: healthKey, exact: true, type: 'active' })
  }, [online, queries, hashKey(healthKey)])

  // During an outage that leaves health readable, health is polled more often. Each answer retries the other queries.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash stands for the key
  useEffect(() => {
    if (!isOut) return
    const health = { queryKey: healthKey, exact: true, predicate: ({ state }: Query) => state.error === null }
    const timer = setInterval(() => void queries.refetchQueries(health, { cancelRefetch: false }), 5_000)
    return () => clearInterval(timer)
  }, [isOut, queries, hashKey(healthKey)])

  // After an outage the service may serve a newer web app.
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

/** Whether the server's web app has a different entry file. An unreadable answer does not count as newer. */
async function isOutdated(): Promise<boolean> {
  const own = entryOf(document.documentElement.outerHTML)
  const served = await fetch(location.pathname, { cache: 'no-store' }).then(
    async (answer) => (answer.ok ? entryOf(await answer.text()) : null),
    () => null,
  )
  return served !== null && served !== own
}
