import { useEffect, useState } from 'react'

/** Abandons a pending wallet request and repeats it once the step is ready. */
export function useRetryAuction(step: { isReady: boolean; ask: () => void; giveUp: () => void }): () => void {
  const { isReady, ask, giveUp } = step
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (!wanted || !isReady) return
    setWanted(false)
    ask()
  }, [wanted, isReady, ask])
  return () => {
    setWanted(true)
    giveUp()
  }
}
