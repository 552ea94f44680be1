import type { Halt, PoolRates } from '@firmquote/core'
import { expect, test } from '@jest/globals'
import { zeroAddress, zeroHash } from 'viem'
import { describeHalt, renderPools } from './pools.ts'
import { plainStyle } from './style.ts'

const halted: Halt = { scope: 'pool', since: 1_767_225_600_000, message: 'The feed is \u001b[2Jnew.' }
const series = { seriesKey: zeroHash, expiry: 1_798_761_600, capacity: 0n, depth: { quotes: 0, notional: 0n } }
const pool = (terms: PoolRates['series']): PoolRates => ({
  ...{ poolId: zeroHash, loanToken: { address: zeroAddress, symbol: 'tUSD', decimals: 6 } },
  ...{ floating: { ratePerSec: 1n, apr: 5, apy: 5.1 }, series: terms },
})

test('behavior: halts follow the table, each once, safe to print', () => {
  const text = renderPools(
    [
      {
        number: 1,
        pool: pool([
          { ...series, halted },
          { ...series, halted },
        ]),
      },
    ],
    plainStyle,
  )
  const lines = text.split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[3]).toMatch(
    /^The operator has halted the pool 0x\S+ since 2026-01-01 \S+.*: The feed is \ufffd\[2Jnew\.$/,
  )
  expect(renderPools([{ number: 1, pool: pool([series]) }], plainStyle).split('\n')).toHaveLength(2)
})

test('behavior: a halt of all RFQs, without a message', () => {
  expect(describeHalt({ scope: 'rfqs', since: 1_767_225_600_000 })).toMatch(
    /^The operator has halted all new RFQs since 2026/,
  )
})
