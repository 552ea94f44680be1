// Shows all src/ui components with sample data, for review and tests. The gallery is not part of the served app.
import '../styles/font.css'
import '../styles/tokens.css'
import '../styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { chooseWords, WordsContext } from '../copy/words.ts'
import { Announcer } from '../ui/announce.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { Gallery } from './Gallery.tsx'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <WordsContext value={chooseWords(['en-GB'])}>
        <Announcer>
          <Toasts>
            <Gallery />
          </Toasts>
        </Announcer>
      </WordsContext>
    </StrictMode>,
  )
}
