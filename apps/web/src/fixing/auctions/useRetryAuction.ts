import { useEffect, useState } from 'react'

/** Gives a wallet's answer up and asks it again, as soon as that is possible. */
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
