import { enProofs, type ProofsTexts } from './enProofs.ts'
import { useWords } from './words.ts'

/** Returns the texts of proofs, which load with the views that show them. */
export function useProofsTexts(): ProofsTexts {
  return useWords().translation?.proofs ?? enProofs
}
