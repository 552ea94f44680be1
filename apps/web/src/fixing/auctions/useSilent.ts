import { useEffect, useState } from 'react'

/** Milliseconds before a wallet is considered unresponsive. */
const silentAfterMs = 60_000

/** Whether a wallet request has been pending for more than a minute. */
export function useSilent(isAsked: boolean): boolean {
  const [isSilent, setSilent] = useState(false)
  useEffect(() => {
    if (!isAsked) return
    const timer = setTimeout(() => setSilent(true), silentAfterMs)
    return () => {
      clearTimeout(timer)
      setSilent(false)
    }
  }, [isAsked])
  return isAsked && isSilent
}
