import { useEffect, useState, useSyncExternalStore } from 'react'
import { clockOffset, onClockChange } from './serverClock.ts'

/** Returns {@link serverNow}, updated every `intervalMs`. Default 1,000. */
export function useServerNow({ intervalMs = 1_000 }: { intervalMs?: number | undefined } = {}): number {
  const offset = useSyncExternalStore(onClockChange, clockOffset, clockOffset)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return now + offset
}
