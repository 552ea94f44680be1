import type { Pool } from '@firmquote/react'
import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { chooseWords } from '../../copy/words.ts'
import { type AuctionFormText, parseAuctionForm, requestOf } from './parseAuctionForm.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const now = 1_800_000_000
const taker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
const depth = { quotes: 0, notional: 0n }
const pool: Pool = {
  poolId: bytes32('2'),
  loanToken: { address: '0x1111111111111111111111111111111111111111', symbol: 'tUSD', decimals: 6 },
  floating: { ratePerSec: 1n, apr: 5, apy: 5.1 },
  series: [
    { seriesKey: bytes32('3'), expiry: now + 31_536_000, capacity: 1_000_000_000_000n, minNotional: 5_000_000n, depth },
    { seriesKey: bytes32('4'), expiry: now, capacity: 1_000_000_000_000n, depth },
  ],
}
const sound: AuctionFormText = { poolId: pool.poolId, seriesKey: bytes32('3'), amount: '250k', cap: '' }
const read = (part: Partial<AuctionFormText> = {}) =>
  parseAuctionForm({ ...sound, ...part }, { pools: [pool], now, words: chooseWords(['en']) })
const request = (part: Partial<AuctionFormText> = {}, more: { limit?: bigint; taker?: typeof taker } = {}) =>
  requestOf(read(part), { maxApy: 5.26, now, limit: more.limit, taker: more.taker })

describe('parseAuctionForm', () => {
  test('default: an amount and a maximum rate', () => {
    expect(read()).toMatchObject({ notional: 250_000_000_000n, capApy: null, mistakes: {} })
    expect(
      [read({ cap: '7.38' }), read({ cap: '7.38 %' }), read({ cap: '0.0001' })].map(({ capApy }) => capApy),
    ).toEqual([7.38, 7.38, 0.0001])
  })

  test('behavior: all that the series can take, and the least that it takes', () => {
    expect(read({ amount: '1,000,000' }).mistakes).toEqual({})
    expect(read({ amount: '5' }).mistakes).toEqual({})
    expect(read({ cap: '1000' }).mistakes).toEqual({})
  })

  const mistakes: [string, Partial<AuctionFormText>, object, (readonly string[])?][] = [
    ['no pool', { poolId: null }, { pool: 'Choose a market.' }],
    ['no series', { seriesKey: null }, { series: 'Choose a term.' }],
    ['another series', { seriesKey: bytes32('9') }, { series: 'Choose a term.' }],
    ['an ended series', { seriesKey: bytes32('4') }, { series: 'This term has ended. Choose a later one.' }],
    ['no amount', { amount: ' ' }, { amount: 'Enter an amount, like 250,000 or 250k.' }],
    ['nothing', { amount: '0.0' }, { amount: 'The amount must be above zero.' }],
    [
      'too much',
      { amount: '1,000,000.000001' },
      { amount: 'Only 1,000,000 tUSD is available in this term.' },
      ['1,000,000'],
    ],
    ['too little', { amount: '4.999999' }, { amount: 'Fix at least 5 tUSD in this term.' }, ['5']],
    ['no number', { amount: 'all' }, { amount: 'Write an amount like 1,234.5.' }, []],
    ['an ambiguous number', { amount: '250.000' }, { amount: 'Did you mean 250 or 250,000?' }, ['250', '250,000']],
    ['no rate', { cap: '0' }, { cap: 'Enter a rate above zero, or leave this empty.' }],
    ['a huge rate', { cap: '1000.0001' }, { cap: 'Enter a rate of at most 1,000%.' }],
    ['a negative rate', { cap: '-1' }, { cap: 'Remove the plus or minus sign.' }],
  ]
  test.each(mistakes)('error: %s', (...[, part, expected, corrections = []]) => {
    const parsed = read(part)
    expect(request(part)).toBeNull()
    expect(parsed.mistakes).toEqual(expected)
    expect(parsed.capApy).toBeNull()
    expect(parsed.corrections.amount ?? []).toEqual(corrections)
  })
})

describe('requestOf', () => {
  test('default: the terms, with the cost at the maximum rate', () => {
    expect(request({}, { taker })).toEqual({
      poolId: pool.poolId,
      seriesKey: bytes32('3'),
      notional: 250_000_000_000n,
      minNotional: 25_000_000_000n,
      maxVrtAmount: 12_492_874_792n,
      taker,
    })
    expect(request()).not.toHaveProperty('taker')
  })

  test('behavior: a lower limit replaces it, and the limit is never zero', () => {
    expect(request({}, { limit: 12_492_874_791n })?.maxVrtAmount).toBe(12_492_874_791n)
    expect(request({}, { limit: 12_492_874_793n })?.maxVrtAmount).toBe(12_492_874_792n)
    const dust = read({ amount: '5' })
    expect(requestOf({ ...dust, notional: 1n }, { maxApy: 5, now, taker })?.maxVrtAmount).toBe(1n)
  })
})
