import { quoteMarketAbi } from '@firmquote/core'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { describe, expect, test } from '@jest/globals'
import { decodeFunctionData, erc20Abi } from 'viem'
import { type GivenPermissions, takeCalls } from './takeCalls.ts'
import { chooseTakeForm } from './takeForm.ts'

const loanToken = `0x${'ab'.repeat(20)}` as const
const signed = exampleQuote()
const quotes = [{ signed }, { signed: { ...signed, vrtAmount: 7n } }]
const purposes = (given: Partial<GivenPermissions>) =>
  takeCalls(quotes, { loanToken, allowance: 0n, isOperator: false, ...given }).map(({ purpose }) => purpose)

describe('takeCalls', () => {
  test('default: missing permissions, then takes, each limited to its cost', () => {
    const calls = takeCalls(quotes, { loanToken, allowance: 0n, isOperator: false })
    expect(calls.map(({ purpose }) => purpose)).toEqual(['approve', 'permit', 'take', 'take'])
    const [approve, , first, second] = calls
    expect(approve).toMatchObject({ to: loanToken, value: 0n })
    expect(decodeFunctionData({ abi: erc20Abi, data: approve?.data ?? '0x' }).args?.[1]).toBe(57n)
    const mostOf = (data = first?.data) => decodeFunctionData({ abi: quoteMarketAbi, data: data ?? '0x' }).args?.[2]
    expect([mostOf(), mostOf(second?.data)]).toEqual([50n, 7n])
  })

  test('behavior: does not repeat existing permissions, and resets a smaller allowance first', () => {
    expect(purposes({ allowance: 57n, isOperator: true })).toEqual(['take', 'take'])
    expect(purposes({ allowance: 58n })).toEqual(['permit', 'take', 'take'])
    expect(purposes({ allowance: 56n, isOperator: true })).toEqual(['reset', 'approve', 'take', 'take'])
    expect(takeCalls([], { loanToken, allowance: 0n, isOperator: false })).toEqual([])
    const free = { signed: { ...signed, vrtAmount: 0n } }
    expect(takeCalls([free], { loanToken, allowance: 0n, isOperator: true })).toHaveLength(1)
  })

  test('error: a quote above its maximum, from another pool, or missing', () => {
    const given = { loanToken, allowance: 0n, isOperator: false }
    expect(takeCalls([{ signed, maxCost: 50n }], given)).toHaveLength(3)
    for (const [wrong, path] of [
      [[{ signed, maxCost: 49n }], 'quotes[0].maxCost'],
      [[{ signed }, { signed: { ...signed, poolId: `0x${'23'.repeat(32)}` } }], 'quotes[1].signed.poolId'],
      [[null], 'quotes'],
      [null, 'quotes'],
    ] as const) {
      expect(() => takeCalls(wrong as never, given)).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', path }))
    }
    expect(() => takeCalls(quotes, null as never)).toThrow(expect.objectContaining({ path: 'given' }))
  })
})

describe('chooseTakeForm', () => {
  const calls = (count: number) => Array.from({ length: count }, () => ({ purpose: 'take' as const }))

  test.each([
    [1, 'supported', true, 'oneByOne'],
    [2, 'supported', true, 'sendCalls'],
    [2, 'ready', true, 'sendCalls'],
    [2, 'unsupported', true, 'bundle'],
    [2, 'unsupported', false, 'oneByOne'],
  ] as const)('default: %i calls, atomicity %s, bundle %s: %s', (count, atomicity, bundle, form) => {
    expect(chooseTakeForm(calls(count), { atomicity, bundle })).toBe(form)
  })
})
