import { describe, expect, test } from '@jest/globals'
import { judgeAlerts, type TokenFunds } from './alerts.ts'

const limits = { lowPercent: 10, transactions: 20 }
const gas = { balance: 3_000_000n, gasPrice: 1n }
const funds = (changes: Partial<TokenFunds> = {}): TokenFunds => ({
  ...{ token: 'tUSD', balance: 1_000n, allowance: 1_000n, quoted: 0n, open: 0n },
  ...changes,
})
const codesOf = (changes: Partial<TokenFunds>, more: Partial<typeof gas> = {}) =>
  judgeAlerts([funds(changes)], { ...gas, ...more }, limits).map(({ code }) => code)

describe('judgeAlerts', () => {
  test.each<[string, Partial<TokenFunds>, string[]]>([
    ['nothing runs out', {}, []],
    ['a token that is not used', { balance: 0n, allowance: 0n }, []],
    ['an allowance of the least', { allowance: 100n }, []],
    ['an allowance below', { allowance: 99n }, ['ALLOWANCE_LOW']],
    ['no allowance', { allowance: 0n }, ['ALLOWANCE_LOW']],
    ['a balance of the least', { balance: 100n, open: 900n }, []],
    ['a balance below', { balance: 99n, open: 901n }, ['BALANCE_LOW']],
    ['no balance', { balance: 0n }, ['BALANCE_LOW']],
    ['quotes below the limit', { quoted: 949n }, []],
    ['quotes at the limit', { quoted: 950n }, ['EXPOSURE_AT_LIMIT']],
    ['quotes at the limit of the allowance', { allowance: 500n, quoted: 475n }, ['EXPOSURE_AT_LIMIT']],
  ])('behavior: %s', (_what, changes, expected) => {
    expect(codesOf(changes)).toEqual(expected)
  })

  test('behavior: native coins for the configured number of transactions', () => {
    expect(codesOf({}, { balance: 2_999_999n })).toEqual(['GAS_MONEY_LOW'])
    expect(codesOf({}, { gasPrice: 2n })).toEqual(['GAS_MONEY_LOW'])
  })
})
