import { useEffect, useState } from 'react'

/** Whether something has gone on for so long, in milliseconds, while it was looked at. */
export function useLasts(active: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setLasts(true), ms)
    return () => {
      clearTimeout(timer)
      setLasts(false)
    }
  }, [active, ms])
  return active && lasts
}
