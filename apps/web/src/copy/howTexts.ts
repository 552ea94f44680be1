import { enHow, type HowTexts } from './enHow.ts'
import { type Catalogue, useWords } from './words.ts'

// They come with the page that says them: the first view needs none of it.
const catalogues: Readonly<Record<string, HowTexts>> = { en: enHow } satisfies Record<Catalogue, HowTexts>

/** What the page "How it works" says. */
export function useHowTexts(): HowTexts {
  return catalogues[useWords().language] ?? enHow
}
