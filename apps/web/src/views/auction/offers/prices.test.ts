import { describe, expect, test } from '@jest/globals'
import { exampleOffer, exampleQuote } from '../../../../test/views/auction/exampleOffers.ts'
import { chooseWords } from '../../../copy/words.ts'
import { describeClose } from '../describeClose.ts'
import { termsOfRest } from '../termsOfRest.ts'
import { priceOf } from './prices.ts'

const year = 31_536_000
const closesAt = 1_800_000_000_999
const auction = { closedAt: null, closesAt, expiry: 1_800_000_000 + year }

describe('priceOf', () => {
  test('default: offers together, from the close to the maturity', () => {
    expect(priceOf(auction, [exampleQuote(1, 100n, 5n), exampleQuote(2, 300n, 23n)])).toEqual({
      notional: 400n,
      cost: 28n,
      from: 1_800_000_000,
      expiry: auction.expiry,
      effectiveApy: 7.526882,
    })
    expect(priceOf(auction, [])).toBeNull()
  })

  test('behavior: closed after its term it has the rate that it came with', () => {
    const closedAt = auction.expiry * 1000
    const quote = { ...exampleQuote(1, 100n, 9n), receivedAt: closesAt }
    expect(priceOf({ ...auction, closedAt }, [quote])?.effectiveApy).toBe(9.89011)
    expect(priceOf({ ...auction, closedAt: closedAt - 1_000 }, [quote])?.effectiveApy).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('describeClose', () => {
  const token = { address: '0x1111111111111111111111111111111111111111', symbol: 'tUSD', decimals: 6 } as const
  const words = chooseWords(['en'])
  const quotes = [exampleQuote(1, 1_000_000_000n, 55_000_001n), exampleQuote(2)]
  const [best] = quotes.map((quote) => exampleOffer(quote))

  test('default: how many, and the best that can be taken, its cost as the card shows it', () => {
    expect(describeClose({ ...auction, quotes }, best ? [best] : [], token, words)).toBe(
      'Auction closed. 2 quotes. Best: 5.82% APY for 55.01 tUSD.',
    )
  })

  test('behavior: none that can be taken, and none at all', () => {
    expect(describeClose({ ...auction, quotes }, [], token, words)).toBe(
      'Auction closed. None of the quotes can be taken.',
    )
    expect(describeClose({ ...auction, quotes: [] }, [], token, words)).toBe('Auction closed. No maker sent a quote.')
  })
})

describe('termsOfRest', () => {
  test('default: all of it, with its limit', () => {
    expect(termsOfRest({ notional: 100n, maxVrtAmount: 9n }, [])).toEqual({ notional: 100n, maxVrtAmount: 9n })
    expect(termsOfRest({ notional: 100n }, [])).toEqual({ notional: 100n })
  })

  test('behavior: what is not fixed yet, with its share of the limit', () => {
    const taken = [exampleQuote(1, 40n), exampleQuote(2, 10n)]
    expect(termsOfRest({ notional: 100n, maxVrtAmount: 10n }, taken)).toEqual({ notional: 50n, maxVrtAmount: 5n })
  })

  test('behavior: all of it again where nothing is left', () => {
    expect(termsOfRest({ notional: 100n, maxVrtAmount: 10n }, [exampleQuote(1, 100n)])).toEqual({
      notional: 100n,
      maxVrtAmount: 10n,
    })
  })
})
