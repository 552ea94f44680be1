import type { Texts } from './en.ts'
import type { AboutTexts } from './enAbout.ts'
import type { AcceptanceTexts } from './enAcceptance.ts'
import type { HowTexts } from './enHow.ts'
import type { PositionsTexts } from './enPositions.ts'
import type { ProofsTexts } from './enProofs.ts'
import type { RatesTexts } from './enRates.ts'

/** The texts of all views in a language other than English. English texts load with their views. */
export type Translation = {
  texts: Texts
  acceptance: AcceptanceTexts
  how: HowTexts
  positions: PositionsTexts
  proofs: ProofsTexts
  rates: RatesTexts
  about: AboutTexts
}
