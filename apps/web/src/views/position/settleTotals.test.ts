import { expect, test } from '@jest/globals'
import { type Address, zeroAddress } from 'viem'
import { examplePool, examplePosition } from '../../../test/fixing/exampleMarket.ts'
import { countPositions, totalsOf } from './settleTotals.ts'

const pool = examplePool()
const usd = pool.loanToken.address
const other = examplePool({ loanToken: { address: zeroAddress, symbol: 'tETH', decimals: 18 } })
const due = (differences: Parameters<typeof examplePosition>[0], of = pool) => ({
  position: examplePosition({ settleable: true, ...differences }),
  pool: of,
})

test('default: payouts and credits of all tokens', () => {
  const rows = [due({ accrued: 7n }), due({ positionId: 2n, accrued: 8n }), due({ positionId: 3n, accrued: 9n }, other)]
  const credits = [{ token: usd.toLowerCase() as Address, amount: 100n }]
  expect(totalsOf(rows, credits)).toEqual([
    { token: usd, amount: 115n },
    { token: zeroAddress, amount: 9n },
  ])
  expect(countPositions(rows)).toBe(3)
})

test('behavior: a position with both sides pays the whole stake, and is one position', () => {
  const rows = [due({ accrued: 7n }), due({ accrued: 7n, role: 'maker' })]
  expect(totalsOf(rows, [])).toEqual([{ token: usd, amount: 1_030_000n }])
  expect(countPositions(rows)).toBe(1)
})
