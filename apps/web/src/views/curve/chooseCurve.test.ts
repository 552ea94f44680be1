import type { Pool } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { maker as address, now } from '../../../test/fixing/exampleMarket.ts'
import { chooseCurve } from './chooseCurve.ts'

const [first, second]: [Hex, Hex] = [`0x${'0a'.repeat(32)}`, `0x${'0b'.repeat(32)}`]
const poolOf = (poolId: Hex): Pool => ({
  poolId,
  loanToken: { address, symbol: 'tUSD', decimals: 2 },
  floating: { ratePerSec: 1n, apr: 1, apy: 1 },
  series: [],
})
const pools: [Pool, Pool] = [poolOf(first), poolOf(second)]
const owing = (debts: Partial<Record<Hex, bigint>>): Pick<AccountPositions, 'debts' | 'positions'> => ({
  debts: Object.entries(debts).map(([poolId, debt = 0n]) => ({
    poolId: poolId as Hex,
    protocol: 'morpho-blue',
    market: first,
    loanToken: address,
    debt,
  })),
  positions: [],
})
const common = 25_000_000n

test('default: without an account the first pool, and a common size', () => {
  expect(chooseCurve(pools, {}, null, now)).toEqual({ pool: pools[0], size: common, unfixed: null })
})

test('default: the debt of an account that is not fixed', () => {
  const account = owing({ [second]: 700n })
  expect(chooseCurve(pools, {}, account, now)).toEqual({ pool: pools[1], size: 700n, unfixed: 700n })
})

test('behavior: less what its positions have fixed', () => {
  const position = {
    ...{
      positionId: 1n,
      role: 'borrower' as const,
      maker: address,
      borrower: address,
      poolId: second,
      seriesKey: first,
    },
    ...{ expiry: now + 1, notional: 300n, cost: 1n, openedAtBlock: 1n },
  }
  const account = { ...owing({ [second]: 700n }), positions: [position] }
  expect(chooseCurve(pools, {}, account, now)).toMatchObject({ size: 400n, unfixed: 400n })
  const fixed = { ...account, positions: [{ ...position, notional: 700n }] }
  expect(chooseCurve(pools, {}, fixed, now)).toEqual({ pool: pools[0], size: common, unfixed: 0n })
})

test('behavior: what the address names goes before', () => {
  const account = owing({ [first]: 500n, [second]: 700n })
  expect(chooseCurve(pools, { poolId: second }, account, now)).toMatchObject({ pool: pools[1], size: 700n })
  expect(chooseCurve(pools, { poolId: first, size: 9n }, account, now)).toMatchObject({ size: 9n, unfixed: 500n })
  expect(chooseCurve(pools, { poolId: `0x${'0c'.repeat(32)}` }, null, now)).toMatchObject({ pool: pools[0] })
})
