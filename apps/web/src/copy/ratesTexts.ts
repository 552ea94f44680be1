import { enRates, type RatesTexts } from './enRates.ts'
import { useWords } from './words.ts'

/** Returns the texts of markets, the yield curve and the history, which load with these views. */
export function useRatesTexts(): RatesTexts {
  return useWords().translation?.rates ?? enRates
}
