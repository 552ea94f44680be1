import { type AcceptanceTexts, enAcceptance } from './enAcceptance.ts'
import { type Catalogue, useWords, type Words } from './words.ts'

// They come with the view that says them: the first view needs none of it.
const catalogues: Readonly<Record<string, AcceptanceTexts>> = { en: enAcceptance } satisfies Record<
  Catalogue,
  AcceptanceTexts
>

/** What the review of an offer says, in the language of the words. Pure. */
export function acceptanceTextsOf({ language }: Pick<Words, 'language'>): AcceptanceTexts {
  return catalogues[language] ?? enAcceptance
}

/** What the review of an offer says. */
export function useAcceptanceTexts(): AcceptanceTexts {
  return acceptanceTextsOf(useWords())
}
