// Every part of src/ui with made-up figures, to look at and to test: not a part of the page that is served.
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
