import { useEffect, useState, useSyncExternalStore } from 'react'

let offsetMs = 0
let quickest = Number.POSITIVE_INFINITY
const listeners = new Set<() => void>()

/**
 * Runs a request whose answer says what time the server has, and sets the page's clock by it: the server read its clock
 * about half-way. Of several answers the quickest one rules, since it errs least.
 */
export async function followServerClock<T extends { serverTime?: number }>(request: () => Promise<T>): Promise<T> {
  const sentAt = performance.now()
  const answer = await request()
  const tookMs = performance.now() - sentAt
  if (answer.serverTime !== undefined && tookMs <= quickest) {
    quickest = tookMs
    offsetMs = answer.serverTime + tookMs / 2 - Date.now()
    for (const listener of listeners) listener()
  }
  return answer
}

/** The server's time, in Unix milliseconds, as far as the page knows it. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** {@link serverNow}, again every `intervalMs`. */
export function useServerNow(intervalMs = 1_000): number {
  const offset = useSyncExternalStore(subscribe, () => offsetMs)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now + offset
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
