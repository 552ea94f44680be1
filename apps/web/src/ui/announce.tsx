import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'

const AnnounceContext = createContext<(text: string) => void>(() => {})

/** The app's polite live region for screen readers. Contains one sentence at a time. */
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

/**
 * Returns a function that announces important changes to screen readers. Do not announce every tick or quote.
 */
export function useAnnounce(): (text: string) => void {
  return useContext(AnnounceContext)
}
