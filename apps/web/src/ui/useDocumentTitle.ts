import { useEffect } from 'react'
import { useTexts } from '../copy/words.ts'

/** Names the browser's tab while this view is open. The frame names it when another page is gone to. */
export function useDocumentTitle(title: string): void {
  const { app } = useTexts()
  useEffect(() => {
    // After the frame's own effect, which names the page that has just been gone to.
    queueMicrotask(() => {
      document.title = app.title(title)
    })
  }, [title, app])
}
