import { describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { judgeRequestSize, minNotionalOf } from './minNotionalOf.ts'

const token = '0xcA11bde05977b3631167028862bE2a173976CA11'
const rule = { divisor: 100_000, limits: new Map([[token.toLowerCase(), 70n]]) }

describe('minNotionalOf', () => {
  test.each([
    ['the share of the cap', 5_000_000n, zeroAddress, 50n],
    ['rounded down', 5_099_999n, zeroAddress, 50n],
    ['the limit of the token where it is lower', 9_000_000n, token, 70n],
    ['the share where that is lower', 5_000_000n, token, 50n],
    ['one of a tiny cap', 99_999n, zeroAddress, 1n],
    ['one of a cap of zero', 0n, token, 1n],
  ] as const)('behavior: %s', (_what, cap, loanToken, least) => {
    expect(minNotionalOf({ cap, loanToken }, rule)).toBe(least)
  })
})

describe('judgeRequestSize', () => {
  const fine = (minNotional: bigint) => ({ ok: true, minNotional })
  const refused = (rejection: object) => ({ ok: false, rejection })

  test.each([
    ['a tenth, rounded down', { notional: 1_009n }, { dust: 1n, capacity: 5_000n }, fine(100n)],
    ['what was asked for', { notional: 1_000n, minNotional: 1_000n }, { dust: 1n, capacity: 1_000n }, fine(1_000n)],
    ['never below the dust limit', { notional: 1_000n, minNotional: 5n }, { dust: 6n, capacity: 1_000n }, fine(6n)],
    ['the dust limit by default', { notional: 6n }, { dust: 6n, capacity: 6n }, fine(6n)],
    ['a notional above the capacity', { notional: 1_000n }, { dust: 1n, capacity: 100n }, fine(100n)],
  ])('behavior: %s', (_what, request, series, size) => {
    expect(judgeRequestSize(request, series)).toEqual(size)
  })

  test.each([
    [{ notional: 5n }, { dust: 6n, capacity: 9n }, { code: 'NOTIONAL_TOO_SMALL', notional: 5n, limit: 6n }],
    [{ notional: 1_000n }, { dust: 1n, capacity: 99n }, { code: 'CAPACITY_EXCEEDED', notional: 100n, capacity: 99n }],
    [
      { notional: 1_000n, minNotional: 101n },
      { dust: 1n, capacity: 100n },
      { code: 'CAPACITY_EXCEEDED', notional: 101n, capacity: 100n },
    ],
    [{ notional: 9n }, { dust: 1n, capacity: 0n }, { code: 'CAPACITY_EXCEEDED', notional: 1n, capacity: 0n }],
  ])('error: %p of %p', (request, series, rejection) => {
    expect(judgeRequestSize(request, series)).toEqual(refused(rejection))
  })
})
