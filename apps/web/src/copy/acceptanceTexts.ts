import { type AcceptanceTexts, enAcceptance } from './enAcceptance.ts'
import { useWords, type Words } from './words.ts'

// The English texts load with the view, because the first view needs none of them.

/** Returns the texts of the review of a quote. Pure. */
export function acceptanceTextsOf({ translation }: Pick<Words, 'translation'>): AcceptanceTexts {
  return translation?.acceptance ?? enAcceptance
}

/** Returns the texts of the review of a quote. */
export function useAcceptanceTexts(): AcceptanceTexts {
  return acceptanceTextsOf(useWords())
}
