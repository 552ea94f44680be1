import { type AboutTexts, enAbout } from './enAbout.ts'
import { useWords } from './words.ts'

/** Returns the texts of the contracts, the status, a maker and an unknown page, which load with these views. */
export function useAboutTexts(): AboutTexts {
  return useWords().translation?.about ?? enAbout
}
