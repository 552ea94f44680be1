import { enHow, type HowTexts } from './enHow.ts'
import { useWords } from './words.ts'

// The English texts load with the view, because the first view needs none of them.

/** Returns the texts of "How it works". */
export function useHowTexts(): HowTexts {
  return useWords().translation?.how ?? enHow
}
