import { enPositions, type PositionsTexts } from './enPositions.ts'
import { type Catalogue, useWords } from './words.ts'

// They come with the pages that say them: the first view needs none of it.
const catalogues: Readonly<Record<string, PositionsTexts>> = { en: enPositions } satisfies Record<
  Catalogue,
  PositionsTexts
>

/** What the pages of positions say. */
export function usePositionsTexts(): PositionsTexts {
  return catalogues[useWords().language] ?? enPositions
}
