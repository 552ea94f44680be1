import type { PublicRfqId, RFQObservation } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { type Hex, zeroAddress } from 'viem'
import type { Pool } from '../../service/serviceContext.ts'
import { knownRates } from './knownRates.ts'

const bytes32 = (digit: string): Hex => `0x${digit.repeat(64)}`
const now = 1_800_000_000_000
const series = (digit: string, bestApr?: number): Pool['series'][number] => ({
  seriesKey: bytes32(digit),
  expiry: 1_900_000_000,
  capacity: 1n,
  depth: { quotes: 0, notional: 0n },
  ...(bestApr !== undefined && { bestApr }),
})
const pool: Pool = {
  poolId: bytes32('2'),
  loanToken: { address: zeroAddress, symbol: 'tUSD', decimals: 6 },
  floating: { ratePerSec: 1n, apr: 5, apy: 5.1 },
  series: [series('3', 6), series('4'), series('5')],
}
const seen = (digit: string, apr: number, part: Partial<RFQObservation> = {}): RFQObservation => ({
  rfqId: 'a' as PublicRfqId,
  hash: bytes32('a'),
  maker: zeroAddress,
  poolId: pool.poolId,
  seriesKey: bytes32(digit),
  expiry: 1_900_000_000,
  notional: 1n,
  vrtAmount: 1n,
  apr,
  observedAt: now - 60_000,
  executable: false,
  ...part,
})

describe('knownRates', () => {
  test('default: what can be taken, else the lowest that was seen', () => {
    const rates = knownRates(pool, [seen('3', 4), seen('4', 7), seen('4', 6.5)], { size: null, now })
    expect([...rates]).toEqual([
      [bytes32('3'), 6],
      [bytes32('4'), 6.5],
    ])
  })

  test('behavior: what is old or of another pool says nothing', () => {
    const others = [seen('4', 5, { observedAt: now - 3_600_001 }), seen('4', 5, { poolId: bytes32('9') })]
    expect(knownRates(pool, others, { size: null, now }).has(bytes32('4'))).toBe(false)
    expect(
      knownRates(pool, [seen('4', 5, { observedAt: now - 3_600_000 })], { size: null, now }).get(bytes32('4')),
    ).toBe(5)
  })

  test('behavior: a rate that was seen for half of the size, or all of it, counts; for less or more, not', () => {
    const rateOf = (notional: bigint) =>
      knownRates(pool, [seen('4', 5, { notional })], { size: 10n, now }).get(bytes32('4'))
    expect([4n, 5n, 10n, 11n].map(rateOf)).toEqual([undefined, 5, 5, undefined])
  })
})
