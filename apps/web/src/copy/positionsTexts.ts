import { enPositions, type PositionsTexts } from './enPositions.ts'
import { useWords } from './words.ts'

// The English texts load with the views, because the first view needs none of them.

/** Returns the texts of the views of positions. */
export function usePositionsTexts(): PositionsTexts {
  return useWords().translation?.positions ?? enPositions
}
