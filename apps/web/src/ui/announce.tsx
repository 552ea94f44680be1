import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/** The app's live region for screen readers: polite, one sentence at a time. */
export function Announcer({ children }: { children: ReactNode }) {
  const [text, setText] = useState('')
  const announce = useCallback((next: string) => setText(next), [])
  return (
    <AnnounceContext value={announce}>
      {children}
      <p className="unseen" aria-live="polite">
        {text}
      </p>
    </AnnounceContext>
  )
}

/** Announces important changes to screen readers. Never use it for each tick or quote. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext)
}
