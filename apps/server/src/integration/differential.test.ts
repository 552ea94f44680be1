import { judgeTerms, type Rejection, serializeSignedQuote } from '@firmquote/core'
import { judgeState } from '@firmquote/core/chain'
import { decode, signedQuoteShape } from '@firmquote/core/wire'
import { describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { devnet, useDevnet } from '../../../../packages/devnet/test/testDevnet.ts'
import {
  createQuoteGenerator,
  createRandomInteger,
  type QuoteGenerator,
  type RandomQuote,
  readPreviews,
} from '../../test/randomQuotes.ts'
import { domainOf } from '../../test/signedQuotes.ts'
import { stateQueriesOf } from '../../test/stateQueries.ts'
import { createRpcClient, createViemChain } from '../adapters/viemChain/viemChain.ts'
import type { Chain } from '../ports/chain.ts'

/** The random seed; the test's name includes it. */
const seed = 20_261_121
const count = 2_000
const atOnce = 200

let chain: Chain
let generator: QuoteGenerator
let borrower: Address

useDevnet(async () => {
  borrower = devnet.borrowers[2].address
  chain = createViemChain({
    client: createRpcClient({ rpcUrl: devnet.rpcUrl }),
    quoteMarket: devnet.contracts.quoteMarket,
    interestRatePool: devnet.contracts.interestRatePool,
  })
  generator = await createQuoteGenerator(devnet)
})

/** Returns the contract's revert reason for a rejection. */
function reasonOf(rejection: Rejection | null): string {
  if (rejection === null) return ''
  if (rejection.code === 'TERMS_MISMATCH') return 'TAKER_MISMATCH'
  // The contract reports an unknown pool as an unknown series, because the series does not belong to the pool.
  if (rejection.code === 'POOL_NOT_FOUND') return 'SERIES_NOT_FOUND'
  return rejection.code
}

describe('the verdict on a quote', () => {
  test(`default: ${count} random quotes (seed ${seed}), the same as the contract's preview`, async () => {
    const random = createRandomInteger(seed)
    const seen = new Map<string, number>()
    for (let done = 0; done < count; done += atOnce) {
      const batch: RandomQuote[] = []
      for (let index = 0; index < atOnce; index += 1) batch.push(await generator.next(random))
      const quotes = batch.map(({ quote }) => quote)
      const { block, states } = await chain.readQuoteStates(await stateQueriesOf(quotes, domainOf(devnet)))
      const reasons = await readPreviews(devnet, quotes, block.number, borrower)
      batch.forEach(({ quote, faults }, index) => {
        const state = states[index]
        const reason = reasons[index] ?? 'no preview'
        if (!state) throw new RangeError('a state is missing')
        seen.set(reason, (seen.get(reason) ?? 0) + 1)
        const { poolId, seriesKey } = quote
        const terms = judgeTerms(quote, { poolId, seriesKey, taker: borrower }, block.timestamp)
        const verdict = reasonOf(terms ?? judgeState(quote, state, block.timestamp))
        const where = { number: done + index, faults }
        if (quote.notional === 0n) {
          // Decoding rejects the quote before it is judged.
          expect(decode(signedQuoteShape, serializeSignedQuote(quote)).ok).toBe(false)
        } else if (faults.includes('another taker') && reason === 'DEADLINE_PASSED') {
          // The contract checks the deadline first; the server checks the taker first.
          expect({ ...where, verdict }).toEqual({ ...where, verdict: 'TAKER_MISMATCH' })
        } else {
          expect({ ...where, verdict }).toEqual({ ...where, verdict: reason })
        }
      })
    }
    // The test must produce every contract reason and many takeable quotes.
    expect(Object.fromEntries([...seen].map(([reason, times]) => [reason, times >= 10]))).toEqual({
      '': true,
      DEADLINE_PASSED: true,
      TAKER_MISMATCH: true,
      NOTIONAL_ZERO: true,
      NONCE_MISMATCH: true,
      QUOTE_FILLED: true,
      QUOTE_CANCELLED: true,
      SERIES_NOT_FOUND: true,
      SERIES_EXPIRED: true,
      CAPACITY_EXCEEDED: true,
      BAD_SIGNATURE: true,
      INSUFFICIENT_BALANCE: true,
      INSUFFICIENT_ALLOWANCE: true,
    })
  }, 180_000)
})
