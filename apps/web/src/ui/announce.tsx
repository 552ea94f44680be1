import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/** The page's one voice for screen readers: polite, one sentence at a time. */
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

/** Says something that matters to those who cannot see it; never for each tick or each quote. */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext)
}
