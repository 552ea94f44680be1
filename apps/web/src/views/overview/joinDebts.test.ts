import type { AccountDebt } from '@firmquote/sdk'
import { expect, test } from '@jest/globals'
import { joinDebts } from './joinDebts.ts'
import type { Offer } from './offers.ts'
import { examplePool, examplePosition, hex, later, maker, now, soon } from './testing/exampleMarket.ts'

const debt: AccountDebt = {
  poolId: hex('aa'),
  protocol: 'morpho-blue',
  market: hex('bb'),
  loanToken: maker,
  debt: 3_000_000n,
}
const firm: Offer = { ...soon, kind: 'firm', hash: hex('01'), notional: 1_000_000n, vrtAmount: 31_000n, at: now }
const seen: Offer = { ...later, kind: 'indicative', hash: hex('02'), notional: 1_000_000n, vrtAmount: 60_000n, at: now }
const offers = new Map([
  [soon.seriesKey, { firm }],
  [later.seriesKey, { indicative: seen }],
])

test('default', () => {
  const positions = [
    examplePosition(),
    examplePosition({ positionId: 2n, notional: 500_000n }),
    // None of these covers the debt: another pool's, one of a maker, one that has matured.
    examplePosition({ positionId: 3n, poolId: hex('cc') }),
    examplePosition({ positionId: 4n, role: 'maker' }),
    examplePosition({ positionId: 5n, expiry: now }),
  ]
  expect(joinDebts({ debts: [debt], positions }, [examplePool()], offers, now)).toEqual([
    {
      pool: examplePool(),
      protocol: 'morpho-blue',
      owed: 3_000_000n,
      yearlyCost: 946_080n,
      fixed: 1_500_000n,
      floats: 1_500_000n,
      best: seen,
    },
  ])
})

test('behavior: more fixed than owed leaves nothing that floats', () => {
  const positions = [examplePosition({ notional: 4_000_000n })]
  const [row] = joinDebts({ debts: [debt], positions }, [examplePool()], offers, now)
  expect(row).toMatchObject({ fixed: 4_000_000n, floats: 0n })
})

test('behavior: without offers there is no best one; without its pool a debt is left out', () => {
  const account = { debts: [debt], positions: [] }
  expect(joinDebts(account, [examplePool()], new Map(), now)).toMatchObject([{ best: undefined }])
  expect(joinDebts(account, [], offers, now)).toEqual([])
})
