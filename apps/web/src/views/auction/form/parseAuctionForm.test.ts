import type { Pool } from '@firmquote/react'
import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { chooseWords } from '../../../copy/words.ts'
import { type AuctionFormText, parseAuctionForm } from './parseAuctionForm.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const now = 1_800_000_000
const taker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const depth = { quotes: 0, notional: 0n }
const pool: Pool = {
  poolId: bytes32('2'),
  loanToken: { address: '0x1111111111111111111111111111111111111111', symbol: 'tUSD', decimals: 6 },
  floating: { ratePerSec: 1n, apr: 5, apy: 5.1 },
  series: [
    { seriesKey: bytes32('3'), expiry: now + 31_536_000, capacity: 1_000_000_000_000n, depth },
    { seriesKey: bytes32('4'), expiry: now, capacity: 1_000_000_000_000n, depth },
  ],
}
const sound: AuctionFormText = { poolId: pool.poolId, seriesKey: bytes32('3'), amount: '250k', cap: '' }
const read = (part: Partial<AuctionFormText> = {}, account?: typeof taker) =>
  parseAuctionForm({ ...sound, ...part }, { pools: [pool], taker: account, now, words: chooseWords(['en']) })

describe('parseAuctionForm', () => {
  test('default: a request', () => {
    expect(read()).toMatchObject({
      notional: 250_000_000_000n,
      cap: null,
      mistakes: {},
      request: { poolId: pool.poolId, seriesKey: bytes32('3'), notional: 250_000_000_000n },
    })
  })

  test('behavior: a cap and the connected account go with it', () => {
    const { request, capApy } = read({ cap: '12,500' }, taker)
    expect(request).toEqual({
      poolId: pool.poolId,
      seriesKey: bytes32('3'),
      notional: 250_000_000_000n,
      minNotional: 25_000_000_000n,
      maxVrtAmount: 12_500_000_000n,
      taker,
    })
    expect(capApy).toBeCloseTo(5.26, 2)
  })

  test('behavior: without a cap or an account the request has neither', () => {
    expect(Object.keys(read().request ?? {})).toEqual(['poolId', 'seriesKey', 'notional', 'minNotional'])
  })

  test('behavior: all that the series can take', () => {
    expect(read({ amount: '1,000,000' })).toMatchObject({ mistakes: {}, request: { notional: 1_000_000_000_000n } })
  })

  test('behavior: a cap has no rate for nothing, or for a series that has ended', () => {
    expect(read({ amount: '0', cap: '1' }).capApy).toBeNull()
    expect(read({ seriesKey: bytes32('4'), cap: '1' }).capApy).toBeNull()
  })

  const mistakes: [string, Partial<AuctionFormText>, object][] = [
    ['no pool', { poolId: null }, { pool: 'Choose a market.' }],
    ['no series', { seriesKey: null }, { series: 'Choose a term.' }],
    ['another series', { seriesKey: bytes32('9') }, { series: 'Choose a term.' }],
    ['an ended series', { seriesKey: bytes32('4') }, { series: 'This term has ended. Choose a later one.' }],
    ['no amount', { amount: ' ' }, { amount: 'Say how much of the debt to fix, like 250,000 or 250k.' }],
    ['nothing', { amount: '0.0' }, { amount: 'The amount must be above zero.' }],
    ['too much', { amount: '1,000,000.000001' }, { amount: 'No more than 1,000,000 tUSD is available in this term.' }],
    ['no number', { amount: 'all' }, { amount: 'Write the amount like 1,234.5.' }],
    [
      'no cost',
      { cap: '0' },
      { cap: 'Nobody fixes a rate for nothing. Leave this empty for the limit that this page sets.' },
    ],
    ['a negative cost', { cap: '-1' }, { cap: 'Write the amount without a plus or minus sign.' }],
  ]
  test.each(mistakes)('error: %s', (_, part, expected) => {
    const parsed = read(part)
    expect(parsed.request).toBeNull()
    expect(parsed.mistakes).toEqual(expected)
  })
})
