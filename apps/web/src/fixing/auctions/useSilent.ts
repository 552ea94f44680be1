import { useEffect, useState } from 'react'

/** How long a wallet may take to answer before the page says that it does not. */
const silentAfterMs = 60_000

/** Whether a wallet that is being asked has not answered for a minute, as long as that was looked at. */
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
