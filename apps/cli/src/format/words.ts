import type { RejectionWords } from '@firmquote/core'
import { showAmount, showInstant, type Token } from './show.ts'

/** Returns formatters for the amounts and times in refusals: `250,000 tUSD`, `2027-03-01 00:00 UTC`. */
export function wordsOf(token: Token | undefined): RejectionWords {
  return { amount: (raw) => showAmount(raw, token), instant: showInstant }
}
