import { expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import { createReservedDebts } from './reservedDebts.ts'

const taker: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const poolId: Hex = `0x${'22'.repeat(32)}`
const debt = { taker, poolId, debt: 100n, fixed: 0n }

test('default: two RFQs at once do not both get the same debt, and an ended one gives its part back once', () => {
  const debts = createReservedDebts()
  const first = debts.reserve(debt, 60n)
  expect(first).not.toBeNull()
  expect(debts.reserve(debt, 41n)).toBeNull()
  const second = debts.reserve(debt, 40n)
  expect(second).not.toBeNull()
  first?.()
  first?.()
  expect(debts.reserve(debt, 61n)).toBeNull()
  expect(debts.reserve(debt, 60n)).not.toBeNull()
})

test('behavior: another pool and another taker have debts of their own; the case of an address does not matter', () => {
  const debts = createReservedDebts()
  debts.reserve(debt, 100n)
  expect(debts.reserve({ ...debt, taker: taker.toLowerCase() as Address }, 1n)).toBeNull()
  expect(debts.reserve({ ...debt, poolId: `0x${'33'.repeat(32)}` }, 100n)).not.toBeNull()
  expect(debts.reserve({ ...debt, taker: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }, 100n)).not.toBeNull()
})

test('behavior: a verified auction that is taken up again reserves as before, an unverified one nothing', () => {
  const debts = createReservedDebts()
  const release = debts.takeUp({ poolId, taker, takerVerified: true, notional: 70n })
  debts.takeUp({ poolId, taker, takerVerified: false, notional: 70n })
  debts.takeUp({ poolId, takerVerified: true, notional: 70n })
  expect(debts.reserve(debt, 31n)).toBeNull()
  release()
  expect(debts.reserve(debt, 100n)).not.toBeNull()
})
