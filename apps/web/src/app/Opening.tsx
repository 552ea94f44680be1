import { useSyncExternalStore } from 'react'
import { openings } from '../copy/openings.ts'
import { useTexts } from '../copy/words.ts'
import { missingFiles } from '../ui/loadView.ts'
import { ViewHead } from '../ui/ViewHead.tsx'
import { HomeHead } from '../views/home/HomeHead.tsx'
import { useHashRoute } from './useHashRoute.ts'

/**
 * Shows the heading and introduction of this address's view while the view loads. It must look the same as the view.
 */
export function Opening() {
  const texts = useTexts()
  const [path] = useHashRoute()
  const missing = useSyncExternalStore(missingFiles.subscribe, missingFiles.current)
  const opening = openings(texts)[path]
  // A page without its view still needs a heading. While the view loads, the heading is hidden.
  if (!opening) return missing ? <ViewHead title={texts.app.name} /> : <h1 className="unseen">{texts.app.name}</h1>
  if (path === '/') return <HomeHead />
  return <ViewHead title={opening.title}>{opening.lead}</ViewHead>
}
