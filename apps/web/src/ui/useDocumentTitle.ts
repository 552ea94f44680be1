import { useEffect } from 'react'
import { useTexts } from '../copy/words.ts'

/** Sets the document's title while this view is open. The frame sets it on navigation. */
export function useDocumentTitle(title: string): void {
  const { app } = useTexts()
  useEffect(() => {
    // Runs after the frame's effect, which sets the new page's title.
    queueMicrotask(() => {
      document.title = app.title(title)
    })
  }, [title, app])
}
