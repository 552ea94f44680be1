import type { AccountDebt } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { examplePool, examplePosition, hex, maker, now } from '../../../test/fixing/exampleMarket.ts'
import { joinLoans } from './joinLoans.ts'

const debt: AccountDebt = {
  poolId: hex('aa'),
  protocol: 'morpho-blue',
  market: hex('bb'),
  loanToken: maker,
  debt: 3_000_000n,
}

test('default: what is owed with how much of it is fixed', () => {
  const loans = joinLoans({ debts: [debt], positions: [examplePosition()] }, [examplePool()], now)
  expect(loans).toEqual([
    { pool: examplePool(), debt, share: { owed: 3_000_000n, fixed: 1_000_000n, unfixed: 2_000_000n, overfixed: 0n } },
  ])
})

test('behavior: what is fixed without a debt stands there too', () => {
  const [loan] = joinLoans({ debts: [], positions: [examplePosition()] }, [examplePool()], now)
  expect(loan).toMatchObject({ debt: undefined, share: { owed: 0n, overfixed: 1_000_000n } })
})

test('behavior: a pool without either is left out, and so is a debt without its pool', () => {
  expect(joinLoans({ debts: [], positions: [] }, [examplePool()], now)).toEqual([])
  expect(joinLoans({ debts: [debt], positions: [] }, [examplePool({ poolId: hex('cc') })], now)).toEqual([])
})
