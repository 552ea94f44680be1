import { describe, expect, test } from '@jest/globals'
import { batchSize, chooseSettlements, isWorth, type KeeperRules, rotateByKeeper, type Settlement } from './keeping.ts'

const rules: KeeperRules = {
  mode: 'own',
  maxGas: 10_000_000n,
  maxGasPrice: 1_000n,
  tokensPerCoin: 2_000n,
  latestSeconds: 100,
}
// 100,000 gas at 1,000 wei costs 1e8 wei. At 2,000 tokens per coin, ten times that cost is 2e12 units of an 18-decimal
// token.
const enough = 2n * 10n ** 12n
const settlement = (changes: Partial<Settlement> = {}): Settlement => ({
  ...{ positionId: 1n, isOwn: true, expiry: 1_000, freed: enough, decimals: 18 },
  ...changes,
})
const at = { now: 1_050, gasPrice: 1_000n }

describe('chooseSettlements', () => {
  test.each<[string, Partial<Settlement>, Partial<typeof at>, Partial<KeeperRules>, boolean]>([
    ['own and worth its gas', {}, {}, {}, true],
    ['own and worth a unit less', { freed: enough - 1n }, {}, {}, false],
    ['own, late by a second less', { freed: 0n }, { now: 1_099 }, {}, false],
    ['own and late', { freed: 0n }, { now: 1_100 }, {}, true],
    ['above the gas price', {}, { gasPrice: 1_001n }, {}, false],
    ['above the gas price and late', {}, { gasPrice: 1_001n, now: 5_000 }, {}, false],
    ['another maker', { isOwn: false }, { now: 5_000 }, {}, false],
    ['another maker with all', { isOwn: false, freed: 0n }, {}, { mode: 'all' }, true],
    ['all above the gas price', {}, { gasPrice: 1_001n }, { mode: 'all' }, false],
    ['off', {}, {}, { mode: 'off' }, false],
  ])('behavior: %s', (_what, changes, moment, more, isChosen) => {
    const chosen = chooseSettlements([settlement(changes)], { ...at, ...moment }, { ...rules, ...more })
    expect(chosen).toEqual(isChosen ? [1n] : [])
  })
})

describe('isWorth', () => {
  test("behavior: respects the token's decimals, and zero is never worth it", () => {
    expect(isWorth(2n, 100_000n, { decimals: 6, gasPrice: 1_000n }, rules)).toBe(true)
    expect(isWorth(1n, 100_000n, { decimals: 6, gasPrice: 1_000n }, rules)).toBe(false)
    expect(isWorth(0n, 100_000n, { decimals: 6, gasPrice: 0n }, rules)).toBe(false)
  })
})

describe('batchSize', () => {
  test.each([
    [0n, 1],
    [499_999n, 1],
    [500_000n, 2],
    [10_000_000n, 97],
    [10n ** 12n, 150],
  ])('behavior: %s gas', (maxGas, expected) => {
    expect(batchSize({ maxGas })).toBe(expected)
  })
})

describe('rotateByKeeper', () => {
  test("behavior: rotates all items by the keeper's address", () => {
    expect(rotateByKeeper([1, 2, 3], '0x01')).toEqual([2, 3, 1])
    expect(rotateByKeeper([1, 2, 3], '0x03')).toEqual([1, 2, 3])
    expect(rotateByKeeper([], '0x03')).toEqual([])
  })
})
