import { useEffect, useState, useSyncExternalStore } from 'react'

let offsetMs = 0
let ruling: ClockReading | null = null
const listeners = new Set<() => void>()

/**
 * Runs a request whose answer has the server's time, and sets the page's clock by it, as if the server had answered
 * half-way. Of several answers the fastest one counts, since its error is smallest; see {@link rules}.
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

/** When the server was asked for its time, in milliseconds since the page was opened, and how long the answer took. */
type ClockReading = { sentAt: number; tookMs: number }

/** After this long the machine's clock may have been set, or slept. */
const longestRuleMs = 60_000

/** Whether an answer sets the clock: it came no slower than the one that rules, or that one is old. Pure. */
export function rules(reading: ClockReading, ruling: ClockReading | null): boolean {
  return !ruling || reading.tookMs <= ruling.tookMs || reading.sentAt - ruling.sentAt > longestRuleMs
}

/** The server's time, in Unix milliseconds, as far as the page knows it. */
export function serverNow(): number {
  return Date.now() + offsetMs
}

/** {@link serverNow}, again every `intervalMs`. */
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
