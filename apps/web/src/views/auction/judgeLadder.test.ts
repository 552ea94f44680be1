import type { QuoteState } from '@firmquote/core'
import type { CollectedQuote, RFQResult, RfqId } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { type Address, type Hex, numberToHex, zeroAddress } from 'viem'
import { explainRejection } from '../../service/explainRejection.ts'
import { judgeLadder, submissionWindowSeconds } from './judgeLadder.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const now = 1_800_000_000
const borrower: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const stranger: Address = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc'
const token = { address: zeroAddress, symbol: 'tUSD', decimals: 6 }

function collected(number: number, part: Partial<CollectedQuote['quote']> = {}): CollectedQuote {
  const quote = {
    maker: zeroAddress,
    taker: borrower,
    poolId: bytes32('2'),
    seriesKey: bytes32('3'),
    notional: 250_000_000n,
    vrtAmount: 10_000_000n,
    nonce: 0n,
    deadline: BigInt(now + 300),
    salt: bytes32('4'),
    signature: '0x' as const,
    ...part,
  }
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

/** All is well on the chain, but for `part`. */
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

describe('judgeLadder', () => {
  test('default: what can be taken is ranked in the order of the auction', () => {
    const [first, filled, second] = [collected(1), collected(2), collected(3)]
    const states = new Map([stateOf(first), stateOf(filled, { status: 'filled' }), stateOf(second)])
    const { takeable, others } = judgeLadder(auction(first, filled, second), { borrower, states, now })
    expect(takeable.map(({ rank, collected, basis }) => [rank, collected.hash, basis])).toEqual([
      [1, first.hash, 'chain'],
      [2, second.hash, 'chain'],
    ])
    expect(others).toMatchObject([{ rank: null, collected: filled, rejection: { code: 'QUOTE_FILLED' } }])
  })

  test("behavior: without a wallet the service's word and the clock decide", () => {
    const [fresh, late] = [collected(1), collected(2, { deadline: BigInt(now + submissionWindowSeconds - 1) })]
    const { takeable, others } = judgeLadder(auction(fresh, late), { states: null, now })
    expect(takeable).toMatchObject([{ collected: fresh, basis: 'service' }])
    expect(others).toMatchObject([{ rejection: { code: 'DEADLINE_TOO_SOON' } }])
  })

  test('behavior: a quote that the chain has not been asked about yet is not a checked one', () => {
    const { takeable } = judgeLadder(auction(collected(1)), { borrower, states: new Map(), now })
    expect(takeable).toMatchObject([{ basis: 'none' }])
  })

  test('behavior: an old block speaks against a quote, never for it', () => {
    const [open, cancelled] = [collected(1), collected(2)]
    const states = new Map([stateOf(open), stateOf(cancelled, { status: 'cancelled' })])
    const { takeable, others } = judgeLadder(auction(open, cancelled), { borrower, states, current: false, now })
    expect(takeable).toMatchObject([{ collected: open, basis: 'none' }])
    expect(others).toMatchObject([{ collected: cancelled }])
  })

  test("behavior: the chain's time counts when the page's clock is behind", () => {
    const quote = collected(1, { deadline: BigInt(now + 300) })
    const block = { number: 1n, hash: bytes32('b'), timestamp: BigInt(now + 301) }
    const states = new Map([stateOf(quote, { block })])
    expect(judgeLadder(auction(quote), { borrower, states, now }).others[0]?.rejection?.code).toBe('DEADLINE_PASSED')
  })

  const ends: [string, Partial<CollectedQuote['quote']>, Partial<QuoteState>, RegExp][] = [
    ['NONCE_MISMATCH', {}, { makerNonce: 1n }, /withdrawn/],
    ['QUOTE_CANCELLED', {}, { status: 'cancelled' }, /cancelled/],
    ['QUOTE_FILLED', {}, { status: 'filled' }, /taken/],
    ['CAPACITY_EXCEEDED', {}, { capacity: 1_500_000n }, /room for 1.5 tUSD only/],
    ['INSUFFICIENT_BALANCE', {}, { balance: 0n }, /holds 0 tUSD only/],
    ['INSUFFICIENT_ALLOWANCE', {}, { allowance: 1_000_000_000n / 7n }, /use 142.85 tUSD only/],
    [
      'BAD_SIGNATURE',
      {},
      { preview: { executable: false, reason: 'BAD_SIGNATURE', borrowerCost: 0n } },
      /signature is not the maker's/,
    ],
    ['TERMS_MISMATCH', { taker: stranger }, {}, /signed for 0x9965…A4dc alone/],
    ['DEADLINE_PASSED', { deadline: 1n }, {}, /expired/],
  ]
  test.each(ends)('error: %s, in words', (code, terms, state, words) => {
    const quote = collected(1, terms)
    const { takeable, others } = judgeLadder(auction(quote), {
      borrower,
      states: new Map([stateOf(quote, state)]),
      now,
    })
    expect(takeable).toEqual([])
    const rejection = others[0]?.rejection
    expect(rejection?.code).toBe(code)
    if (rejection) expect(explainRejection(rejection, token)).toMatch(words)
  })
})
