import { useEffect, useState, useSyncExternalStore } from 'react'

let offsetMs = 0
let ruling: ClockReading | null = null
const listeners = new Set<() => void>()

/**
 * Runs a request whose answer contains the server's time and synchronizes the page's clock, assuming that the server
 * answered half-way. The fastest answer wins, since its error is smallest. See {@link rules}.
 */
export async function followServerClock<T extends { serverTime?: number }>(request: () => Promise<T>): Promise<T> {
  const sentAt = performance.now()
  const answer = await request()
  const tookMs = performance.now() - sentAt
  if (answer.serverTime !== undefined && rules({ sentAt, tookMs }, ruling)) {
    ruling = { sentAt, tookMs }
    offsetMs = answer.serverTime + tookMs / 2 - Date.now()
    for (const listener of listeners) listener()
  }
  return answer
}

/** The time of a request, in milliseconds since the page was opened, and its round trip. */
type ClockReading = { sentAt: number; tookMs: number }

/** Maximum age of a reading: after that, the machine's clock may have been set, or the machine may have slept. */
const maxRuleMs = 60_000

/** Whether a reading replaces the current one: it is not slower, or the current one has expired. Pure. */
export function rules(reading: ClockReading, ruling: ClockReading | null): boolean {
  return !ruling || reading.tookMs <= ruling.tookMs || reading.sentAt - ruling.sentAt > maxRuleMs
}

/** Returns the server's time in Unix milliseconds, as estimated by the page. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** Returns {@link serverNow}, updated every `intervalMs`. */
export function useServerNow(intervalMs = 1_000): number {
  const offset = useSyncExternalStore(subscribe, readOffset, readOffset)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now + offset
}

function readOffset(): number {
  return offsetMs
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
