import type { CollectedQuote, Rejection } from '@firmquote/sdk'
import { exampleQuote as exampleQuoteTerms } from '@firmquote/test-support/exampleQuote'
import { numberToHex } from 'viem'
import type { JudgedOffer } from '../../../src/views/auction/offers/judgeOffers.ts'

/** A quote with amounts in raw units. `number` determines the quote's hash and time of receipt. */
export function exampleQuote(number: number, notional = 100n, cost = 5n): CollectedQuote {
  const hash = numberToHex(number, { size: 32 })
  return { hash, quote: exampleQuoteTerms({ notional, vrtAmount: cost }), apr: 5, receivedAt: number }
}

/** A takeable offer, or one with the given rejection. */
export function exampleOffer(collected: CollectedQuote, rejection: Rejection | null = null): JudgedOffer {
  return { collected, rejection, basis: 'chain' }
}
