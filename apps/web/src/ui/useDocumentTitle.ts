import { useEffect } from 'react'
import { useTexts } from '../copy/words.ts'

/** Sets the document title while the view is open. On navigation, the frame sets the title. */
export function useDocumentTitle(title: string): void {
  const { app } = useTexts()
  useEffect(() => {
    // Runs after the frame's effect, which sets the new page's title.
    queueMicrotask(() => {
      document.title = app.title(title)
    })
  }, [title, app])
}
