import type { QuoteState } from '@firmquote/core'
import { submissionWindowSeconds } from '@firmquote/react'
import type { CollectedQuote, RFQResult, RfqId } from '@firmquote/sdk'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { describe, expect, test } from '@jest/globals'
import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { explainRejection } from '../../../copy/explainRejection.ts'
import { chooseWords } from '../../../copy/words.ts'
import { judgeOffers } from './judgeOffers.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const now = 1_800_000_000
const borrower: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const otherAccount: Address = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const token = { address: zeroAddress, symbol: 'tUSD', decimals: 6 }

function collected(number: number, part: Partial<CollectedQuote['quote']> = {}): CollectedQuote {
  const terms = { taker: borrower, notional: 250_000_000n, vrtAmount: 10_000_000n, deadline: BigInt(now + 300) }
  const quote = exampleQuote({ ...terms, ...part })
  return { hash: numberToHex(number, { size: 32 }), quote, apr: 5, receivedAt: number }
}

function auction(...quotes: CollectedQuote[]): RFQResult {
  return {
    rfqId: 'a' as RfqId,
    poolId: bytes32('2'),
    seriesKey: bytes32('3'),
    expiry: now + 1_000_000,
    notional: 250_000_000n,
    taker: borrower,
    openedAt: now * 1000,
    closesAt: now * 1000 + 15_000,
    status: 'closed',
    closedAt: now * 1000 + 15_000,
    backers: 3,
    rejectedCount: 0,
    quotes,
  }
}

/** A state in which the quote is executable, except for the given differences. */
function stateOf({ hash, quote }: CollectedQuote, part: Partial<QuoteState> = {}): [Hex, QuoteState] {
  const state: QuoteState = {
    block: { number: 1n, hash: bytes32('b'), timestamp: BigInt(now) },
    hash,
    makerNonce: 0n,
    status: 'open',
    loanToken: token.address,
    series: { poolId: quote.poolId, expiry: now + 1_000_000, cap: 10n ** 12n, outstanding: 0n },
    capacity: 10n ** 12n,
    balance: 10n ** 12n,
    allowance: 10n ** 12n,
    recovered: null,
    preview: { executable: true, reason: '', borrowerCost: quote.vrtAmount },
    ...part,
  }
  return [hash, state]
}

describe('judgeOffers', () => {
  test('default: what can be taken is ranked in the order of the auction', () => {
    const [first, filled, second] = [collected(1), collected(2, { taker: zeroAddress }), collected(3)]
    const states = new Map([stateOf(first), stateOf(filled, { status: 'filled' }), stateOf(second)])
    const { takeable, others } = judgeOffers(auction(first, filled, second), { borrower, states, now })
    expect(takeable.map(({ collected, basis }) => [collected.hash, basis])).toEqual([
      [first.hash, 'chain'],
      [second.hash, 'chain'],
    ])
    expect(others).toMatchObject([{ collected: filled, rejection: { code: 'QUOTE_FILLED' } }])
  })

  test("behavior: without a wallet the service's verdict and the clock decide", () => {
    const [fresh, late] = [collected(1), collected(2, { deadline: BigInt(now + submissionWindowSeconds - 1) })]
    const { takeable, others } = judgeOffers(auction(fresh, late), { states: null, now })
    expect(takeable).toMatchObject([{ collected: fresh, basis: 'service' }])
    expect(others).toMatchObject([{ rejection: { code: 'DEADLINE_TOO_SOON' } }])
  })

  test('behavior: a quote that the chain has not been asked about yet is not a checked one', () => {
    const { takeable } = judgeOffers(auction(collected(1)), { borrower, states: new Map(), now })
    expect(takeable).toMatchObject([{ basis: 'none' }])
  })

  test('behavior: an unchecked quote does not replace a checked one', () => {
    const [better, known] = [collected(1, { vrtAmount: 1n }), collected(2)]
    const { best } = judgeOffers(auction(better, known), { borrower, states: new Map([stateOf(known)]), now })
    expect(best).toMatchObject([{ collected: known, basis: 'chain' }])
    const unchecked = judgeOffers(auction(better, known), { borrower, states: new Map(), now })
    expect(unchecked.best).toMatchObject([{ collected: better, basis: 'none' }])
  })

  test('behavior: an old block speaks against a quote, never for it', () => {
    const [open, cancelled] = [collected(1), collected(2)]
    const states = new Map([stateOf(open), stateOf(cancelled, { status: 'cancelled' })])
    const { takeable, others } = judgeOffers(auction(open, cancelled), { borrower, states, current: false, now })
    expect(takeable).toMatchObject([{ collected: open, basis: 'none' }])
    expect(others).toMatchObject([{ collected: cancelled }])
  })

  test("behavior: the chain's time counts when the page's clock is behind", () => {
    const quote = collected(1, { deadline: BigInt(now + 300) })
    const block = { number: 1n, hash: bytes32('b'), timestamp: BigInt(now + 301) }
    const states = new Map([stateOf(quote, { block })])
    expect(judgeOffers(auction(quote), { borrower, states, now }).others[0]?.rejection?.code).toBe('DEADLINE_PASSED')
  })

  test('behavior: the time of the page counts when the block is older', () => {
    const quote = collected(1, { deadline: BigInt(now + 29) })
    const block = { number: 1n, hash: bytes32('b'), timestamp: BigInt(now - 12) }
    const states = new Map([stateOf(quote, { block })])
    expect(judgeOffers(auction(quote), { borrower, states, now }).others[0]?.rejection?.code).toBe('DEADLINE_TOO_SOON')
  })

  test('error: a quote that costs more than the auction allowed', () => {
    const quotes = [collected(1, { vrtAmount: 9n }), collected(2, { vrtAmount: 10n })]
    const { takeable, others } = judgeOffers({ ...auction(...quotes), maxVrtAmount: 9n }, { states: null, now })
    expect(takeable).toMatchObject([{ collected: quotes[0] }])
    expect(others).toMatchObject([{ collected: quotes[1], rejection: { code: 'VRT_AMOUNT_TOO_LARGE' } }])
  })

  const half = 125_000_000n
  const maker = (digit: string): Address => `0x${digit.repeat(40)}`

  test('behavior: the best is what fixes most at the least cost, not what has the best rate', () => {
    const dust = collected(1, { notional: 1n, vrtAmount: 0n, maker: maker('1') })
    const parts = [
      collected(2, { notional: half, vrtAmount: 4_000_000n, maker: maker('2') }),
      collected(3, { notional: half, vrtAmount: 4_500_000n, maker: maker('3') }),
    ]
    const whole = collected(4, { maker: maker('4') })
    const quotes = [dust, ...parts, whole]
    const { takeable, best } = judgeOffers(auction(...quotes), { borrower, states: null, now })
    expect(takeable.map(({ collected }) => collected)).toEqual(quotes)
    expect(best.map(({ collected }) => collected)).toEqual(parts)
  })

  test("behavior: a maker's money, and the room of the series, count once", () => {
    const parts = [1, 2].map((number) => collected(number, { notional: half, vrtAmount: 1n, maker: maker('2') }))
    const whole = collected(3, { maker: maker('4') })
    const bestOf = (part: Partial<QuoteState>) => {
      const states = new Map([...parts.map((quote) => stateOf(quote, part)), stateOf(whole)])
      return judgeOffers(auction(...parts, whole), { borrower, states, now }).best.map(({ collected }) => collected)
    }
    expect(bestOf({})).toEqual(parts)
    expect(bestOf({ balance: 2n * half })).toEqual(parts)
    expect(bestOf({ balance: 2n * half - 1n })).toEqual([whole])
    expect(bestOf({ allowance: 2n * half - 1n })).toEqual([whole])
    expect(bestOf({ capacity: 2n * half })).toEqual(parts)
    expect(bestOf({ capacity: 2n * half - 1n })).toEqual(parts.slice(0, 1))
  })

  test('behavior: a quote for a part is held to its share of the limit', () => {
    const [at, above] = [1, 2].map((cost) => collected(cost, { notional: half, vrtAmount: 4_999_999n + BigInt(cost) }))
    const quotes = [at, above].filter((quote) => quote !== undefined)
    const { takeable, others } = judgeOffers(auction(...quotes), { limit: 10_000_000n, states: null, now })
    expect(takeable).toMatchObject([{ collected: at }])
    expect(others).toMatchObject([{ collected: above, rejection: { code: 'VRT_AMOUNT_TOO_LARGE', limit: 5_000_000n } }])
  })

  test('behavior: what has been taken counts, and what is left is not fixed twice', () => {
    const taken = collected(1, { notional: half })
    const [rest, whole] = [collected(2, { notional: half, maker: maker('2') }), collected(3, { maker: maker('3') })]
    const filled = stateOf(taken, { status: 'filled' })
    const judged = judgeOffers(auction(taken, rest, whole), {
      borrower,
      states: new Map([filled, stateOf(rest), stateOf(whole)]),
      now,
    })
    expect(judged.taken).toEqual([taken])
    expect(judged.best.map(({ collected }) => collected)).toEqual([rest])
    expect(judged.others).toMatchObject([
      { collected: taken, rejection: { code: 'QUOTE_FILLED' } },
      { collected: whole, rejection: { code: 'NOTIONAL_TOO_LARGE', limit: half } },
    ])
    // The quote was signed for anyone, so any account may have taken it.
    const open = collected(1, { notional: half, taker: zeroAddress })
    const states = new Map([stateOf(open, { status: 'filled' })])
    expect(judgeOffers(auction(open), { borrower, states, now }).taken).toEqual([])
  })

  const ends: [string, Partial<CollectedQuote['quote']>, Partial<QuoteState>, RegExp][] = [
    ['NONCE_MISMATCH', {}, { makerNonce: 1n }, /withdrew/],
    ['QUOTE_CANCELLED', {}, { status: 'cancelled' }, /canceled/],
    ['QUOTE_FILLED', {}, { status: 'filled' }, /took/],
    ['CAPACITY_EXCEEDED', {}, { capacity: 1_500_000n }, /^Only 1.50 tUSD is left/],
    ['INSUFFICIENT_BALANCE', {}, { balance: 0n }, /holds only 0 tUSD/],
    ['INSUFFICIENT_ALLOWANCE', {}, { allowance: 1_000_000_000n / 7n }, /approved only 142.85 tUSD/],
    [
      'BAD_SIGNATURE',
      {},
      { preview: { executable: false, reason: 'BAD_SIGNATURE', borrowerCost: 0n } },
      /signature isn't the maker's/,
    ],
    ['TERMS_MISMATCH', { taker: otherAccount }, {}, /^Signed for 0x9965…A4dc,/],
    ['DEADLINE_PASSED', { deadline: 1n }, {}, /expired/],
  ]
  test.each(ends)('error: %s, in words', (code, terms, state, words) => {
    const quote = collected(1, terms)
    const { takeable, others } = judgeOffers(auction(quote), {
      borrower,
      states: new Map([stateOf(quote, state)]),
      now,
    })
    expect(takeable).toEqual([])
    const rejection = others[0]?.rejection
    expect(rejection?.code).toBe(code)
    if (rejection) expect(explainRejection(rejection, token, chooseWords(['en']))).toMatch(words)
  })
})
