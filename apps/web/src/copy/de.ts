import { deAbout } from './deAbout.ts'
import { deAcceptance } from './deAcceptance.ts'
import { deHow } from './deHow.ts'
import { dePositions } from './dePositions.ts'
import { deProofs } from './deProofs.ts'
import { deRates } from './deRates.ts'
import { deTexts } from './deTexts.ts'
import type { Translation } from './translation.ts'

/** The texts of all views in German. */
export const de: Translation = {
  texts: deTexts,
  acceptance: deAcceptance,
  how: deHow,
  positions: dePositions,
  proofs: deProofs,
  rates: deRates,
  about: deAbout,
}
