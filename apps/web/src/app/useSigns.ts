import { hashKey, type Query, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { subscribeToNetwork } from '../service/subscribeToNetwork.ts'
import { entryOf, type Signs } from './judgeTrouble.ts'
import type { OutageWatch } from './outageWatch.ts'

/**
 * Collects every sign of trouble except the service's health. Refetches all failed queries after an outage.
 *
 * @param healthKey The health query's key. The query is refetched when the network state changes.
 */
export function useSigns(watch: OutageWatch, healthKey: QueryKey): Omit<Signs, 'health'> {
  const queries = useQueryClient()
  const outage = useSyncExternalStore(watch.subscribe, watch.current)
  const online = useSyncExternalStore(subscribeToNetwork, () => navigator.onLine)
  const [newerPage, setNewerPage] = useState(false)
  const isOut = outage !== null

  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches when these values change
  useEffect(() => {
    void queries.refetchQueries({ queryKey: healthKey, exact: true, type: 'active' })
  }, [online, queries, hashKey(healthKey)])

  // If the service's health is still readable during an outage, poll it more often. Each response triggers a retry of
  // the other queries.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the hash represents the key
  useEffect(() => {
    if (!isOut) return
    const health = { queryKey: healthKey, exact: true, predicate: ({ state }: Query) => state.error === null }
    const timer = setInterval(() => void queries.refetchQueries(health, { cancelRefetch: false }), 5_000)
    return () => clearInterval(timer)
  }, [isOut, queries, hashKey(healthKey)])

  // After an outage, the service may serve a newer version of the web app.
  useEffect(() => {
    if (!isOut) return
    return () => {
      void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
      void isOutdated().then(setNewerPage)
    }
  }, [isOut, queries])

  return { outage, online, newerPage }
}

/**
 * Whether the server's web app has a different entry file. If the response cannot be read, the web app is not
 * considered outdated.
 */
async function isOutdated(): Promise<boolean> {
  const own = entryOf(document.documentElement.outerHTML)
  const served = await fetch(location.pathname, { cache: 'no-store' }).then(
    async (answer) => (answer.ok ? entryOf(await answer.text()) : null),
    () => null,
  )
  return served !== null && served !== own
}
