import type { Pool } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { type Hex, zeroAddress } from 'viem'
import { chooseWords } from '../../copy/words.ts'
import { availableOf, type ChosenTerms, chooseMarket, fillForm, openForm } from './fillForm.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const now = 1_800_000_000
const day = 86_400
const words = chooseWords(['en'])
const one = 1_000_000n
const token = { address: zeroAddress, symbol: 'tUSD', decimals: 6 }

function poolOf(id: string, terms: [key: string, days: number, capacity: bigint][]): Pool {
  return {
    poolId: bytes32(id),
    loanToken: token,
    floating: { ratePerSec: 1n, apr: 5, apy: 5.1 },
    series: terms.map(([key, days, capacity]) => {
      return { seriesKey: bytes32(key), expiry: now + days * day, capacity, depth: { quotes: 0, notional: 0n } }
    }),
  }
}

const first = poolOf('1', [
  ['a', 7, 50n * one],
  ['b', 91, 100n * one],
  ['c', 182, 900n * one],
])
const second = poolOf('2', [
  ['d', 7, 500n * one],
  ['e', 182, 500n * one],
])
const pools = [first, second]

function owing(poolId: Hex, debt: bigint, fixed = 0n): AccountPositions {
  const position = { poolId, role: 'borrower', expiry: now + 1, notional: fixed }
  return { debts: [{ poolId, debt }], positions: fixed > 0n ? [position] : [] } as unknown as AccountPositions
}

const fill = (chosen: ChosenTerms = {}, account?: AccountPositions) => fillForm(chosen, { pools, account, now, words })

describe('fillForm', () => {
  test('default: the first market, about three months, an example', () => {
    expect(fill()).toEqual({ poolId: first.poolId, seriesKey: bytes32('b'), amount: '100', cap: '' })
    expect(fill({}, owing(second.poolId, 0n))).toMatchObject({ poolId: first.poolId, amount: '100' })
  })

  test('behavior: all that is unfixed, in a term that has as much available', () => {
    expect(fill({}, owing(first.poolId, 100n * one))).toMatchObject({ seriesKey: bytes32('b'), amount: '100' })
    expect(fill({}, owing(first.poolId, 101n * one))).toMatchObject({ seriesKey: bytes32('c'), amount: '101' })
    expect(fill({}, owing(first.poolId, 300n * one, 250n * one))).toMatchObject({ amount: '50' })
    expect(fill({ poolId: first.poolId }, owing(first.poolId, 9n * one, 9n * one))).toMatchObject({ amount: '' })
  })

  test('behavior: the first market with a debt that is not fixed', () => {
    expect(fill({}, owing(second.poolId, 10n * one))).toMatchObject({ poolId: second.poolId, amount: '10' })
    expect(fill({}, owing(second.poolId, 10n * one, 10n * one))).toMatchObject({ poolId: first.poolId, amount: '100' })
  })

  test('behavior: what was chosen or typed stays, an empty amount too', () => {
    const chosen = { poolId: first.poolId, seriesKey: bytes32('a'), amount: '', cap: '7' }
    expect(fill(chosen, owing(second.poolId, 10n * one))).toEqual(chosen)
  })

  test('behavior: no more than a chosen term has available', () => {
    const account = owing(first.poolId, 300n * one)
    expect(fill({ seriesKey: bytes32('b') }, account).amount).toBe('100')
    expect(fill({ seriesKey: bytes32('c') }, account).amount).toBe('300')
  })

  test('behavior: the term follows the amount that is typed until one is chosen', () => {
    expect(fill({ amount: '100' }).seriesKey).toBe(bytes32('b'))
    expect(fill({ amount: '100.0001' }).seriesKey).toBe(bytes32('c'))
    expect(fill({ amount: 'all' }).seriesKey).toBe(bytes32('b'))
  })

  test('error: a market or a term that does not exist stays open', () => {
    expect(fill({ poolId: null, seriesKey: null })).toMatchObject({ poolId: null, seriesKey: null })
    expect(fill({ poolId: first.poolId, seriesKey: null }).seriesKey).toBeNull()
  })
})

describe('openForm', () => {
  const open = (draft: Parameters<typeof openForm>[0]) => openForm(draft, { pools, words })

  test('default: nothing is chosen without an address that names it', () => {
    expect(open({})).toEqual({})
  })

  test('behavior: what the address names', () => {
    expect(open({ poolId: second.poolId, seriesKey: bytes32('e'), notional: 1_234_500_000n })).toEqual({
      poolId: second.poolId,
      seriesKey: bytes32('e'),
      amount: '1,234.5',
    })
    expect(open({ notional: one })).toEqual({ poolId: first.poolId, amount: '1' })
  })

  test('error: what it names and nobody knows', () => {
    expect(open({ poolId: bytes32('9'), notional: one })).toEqual({ poolId: null, seriesKey: null })
    expect(open({ poolId: first.poolId, seriesKey: bytes32('9') })).toMatchObject({ seriesKey: null })
  })
})

test('behavior: a paused term is not proposed', () => {
  const halted = { scope: 'series', since: 1 } as const
  const paused = first.series.map((series) => (series.seriesKey === bytes32('b') ? { ...series, halted } : series))
  const filled = fillForm({}, { pools: [{ ...first, series: paused }], account: undefined, now, words })
  expect(filled.seriesKey).not.toBe(bytes32('b'))
  expect(fillForm({}, { pools, account: undefined, now, words }).seriesKey).toBe(bytes32('b'))
})

test('availableOf: the less of both', () => {
  expect([1n, 2n, 3n].map((amount) => availableOf(amount, { capacity: 2n }))).toEqual([1n, 2n, 2n])
})

describe('chooseMarket', () => {
  const choose = (chosen: ChosenTerms, expiry: number) => chooseMarket(chosen, second.poolId, { pools, expiry })

  test('default: a chosen term stays where the market has one of that day', () => {
    expect(choose({ seriesKey: bytes32('c'), amount: '5' }, now + 182 * day)).toEqual({
      poolId: second.poolId,
      seriesKey: bytes32('e'),
      amount: '5',
    })
  })

  test('behavior: without one, or where none was chosen, the page proposes one', () => {
    expect(choose({ seriesKey: bytes32('b') }, now + 91 * day).seriesKey).toBeUndefined()
    expect(choose({}, now + 182 * day).seriesKey).toBeUndefined()
  })
})
