import { describe, expect, test } from '@jest/globals'
import type { Pool } from '../../service/serviceContext.ts'
import { compareWithFloating, describeClose } from './compareWithFloating.ts'

const year = 31_536_000
const pool: Pool = {
  poolId: `0x${'2'.repeat(64)}`,
  loanToken: { address: '0x1111111111111111111111111111111111111111', symbol: 'tUSD', decimals: 6 },
  floating: { ratePerSec: 10n ** 18n / 20n / BigInt(year), apr: 5, apy: 5.1 },
  series: [],
}
const notional = 1_000_000_000_000n

describe('compareWithFloating', () => {
  test('default: what certainty costs in a year', () => {
    const { fixedPerYear, text } = compareWithFloating({ notional, vrtAmount: 30_000_000_000n }, pool, year / 2)
    expect(fixedPerYear).toBe(60_000_000_000n)
    expect(text).toBe('10,000 tUSD a year more than the floating rate costs today; in return it cannot rise.')
  })

  test('behavior: or saves', () => {
    const { text } = compareWithFloating({ notional, vrtAmount: 20_000_000_000n }, pool, year / 2)
    expect(text).toBe('10,000 tUSD a year less than the floating rate costs today, and it cannot rise.')
  })

  test('behavior: or neither', () => {
    const { text } = compareWithFloating({ notional: 1n, vrtAmount: 0n }, pool, year / 2)
    expect(text).toBe('The same as the floating rate costs today; but it cannot change.')
  })
})

describe('describeClose', () => {
  const quote = { apr: 5.5, quote: { notional, vrtAmount: 1_234_567_890n } }

  test('default: how many, and the best with its cost', () => {
    expect(describeClose([quote, quote], pool.loanToken)).toBe(
      'The auction has closed. 2 quotes; the best is 5.50% APR fixed, for 1,235 tUSD.',
    )
    const small = { apr: 5.5, quote: { notional, vrtAmount: 999_005_000n } }
    expect(describeClose([small], pool.loanToken)).toMatch(/One quote; the best is 5.50% APR fixed, for 999.01 tUSD/)
  })

  test('behavior: whole tokens from a thousand upwards', () => {
    const costing = (vrtAmount: bigint) => describeClose([{ apr: 5.5, quote: { notional, vrtAmount } }], pool.loanToken)
    expect(costing(1_000_010_000n)).toMatch(/for 1,000 tUSD/)
    expect(costing(999_990_000n)).toMatch(/for 999.99 tUSD/)
  })

  test('behavior: nobody', () => {
    expect(describeClose([], pool.loanToken)).toBe('The auction has closed. Nobody has quoted.')
  })
})
