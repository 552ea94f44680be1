import { describe, expect, test } from '@jest/globals'
import { type Address, type Hex, zeroAddress } from 'viem'
import { exampleOutstanding } from '../../test/exampleOutstanding.ts'
import { affordable, affordableTo, isLive, type MakerFunds, outstandingNotional } from './exposure.ts'

const token: Address = '0x1111111111111111111111111111111111111111'
const funds: MakerFunds = {
  loanToken: token,
  timestamp: 1_000n,
  nonce: 2n,
  balance: 100n,
  allowance: 80n,
  ended: new Set<Hex>(),
}
const outstanding = (notional: bigint, changes: Parameters<typeof exampleOutstanding>[0] = {}) =>
  exampleOutstanding({ loanToken: token, notional, nonce: 2n, deadline: 1_000n, ...changes })

describe('exposure', () => {
  test('default: the smaller of balance and allowance, minus outstanding quotes', () => {
    const quotes = [outstanding(30n), outstanding(20n)]
    expect(outstandingNotional(quotes, funds)).toBe(50n)
    expect(affordable(quotes, funds)).toBe(30n)
    expect(affordable(quotes, { ...funds, allowance: 2n ** 256n - 1n })).toBe(50n)
    expect(affordable([], funds)).toBe(80n)
  })

  test('behavior: a quote is live up to and including its deadline, by the block, not by a clock', () => {
    expect(isLive(outstanding(1n), funds)).toBe(true)
    expect(isLive(outstanding(1n), { ...funds, timestamp: 1_001n })).toBe(false)
  })

  test('behavior: filled, cancelled and outdated quotes do not count; one with a future nonce does', () => {
    const one = outstanding(1n)
    expect(isLive(one, { ...funds, ended: new Set([one.hash]) })).toBe(false)
    expect(isLive(one, { ...funds, nonce: 3n })).toBe(false)
    expect(isLive(one, { ...funds, nonce: 1n })).toBe(true)
  })

  test('behavior: only live quotes are summed up', () => {
    const [live, filled] = [outstanding(30n), outstanding(20n)]
    const ended = new Set([filled.hash])
    expect(outstandingNotional([live, filled], { ...funds, ended })).toBe(30n)
    expect(affordable([live, filled], { ...funds, ended })).toBe(50n)
    expect(affordable([outstanding(30n, { deadline: 999n })], funds)).toBe(80n)
  })

  test('behavior: each loan token has separate funds', () => {
    expect(outstandingNotional([outstanding(30n, { loanToken: zeroAddress })], funds)).toBe(0n)
  })

  test('behavior: nothing is affordable when funds have been withdrawn below the live quotes', () => {
    expect(affordable([outstanding(81n)], funds)).toBe(0n)
    expect(affordable([outstanding(30n)], { ...funds, balance: 29n })).toBe(0n)
    expect(affordable([outstanding(30n)], { ...funds, balance: 30n })).toBe(0n)
    expect(affordable([outstanding(30n)], { ...funds, balance: 31n })).toBe(1n)
    expect(affordable([outstanding(79n)], funds)).toBe(1n)
    expect(affordable([outstanding(80n)], funds)).toBe(0n)
  })
})

describe('affordableTo', () => {
  const one: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
  const two: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
  // The shares are percentages of 80, the smaller of the balance and the allowance.
  const shares = { unverified: 20, taker: 25 }
  const unverified = { asker: 'unverified', taker: zeroAddress } as const
  const verified = (taker: Address) => ({ asker: 'verified', taker }) as const

  test('default: unverified RFQs share a fifth, each verified taker has a quarter, the maker itself everything', () => {
    const none: ReturnType<typeof outstanding>[] = []
    expect(affordableTo(none, funds, unverified, shares)).toBe(16n)
    expect(affordableTo(none, funds, verified(one), shares)).toBe(20n)
    expect(affordableTo(none, funds, { asker: 'maker', taker: zeroAddress }, shares)).toBe(80n)
  })

  test("behavior: only an asker's own quotes count against it", () => {
    const quotes = [
      outstanding(10n, { asker: 'unverified', taker: one }),
      outstanding(3n, { asker: 'verified', taker: one }),
      outstanding(5n, { asker: 'maker', taker: one }),
      outstanding(4n, { asker: 'unverified', deadline: 999n }),
    ]
    // An unverified RFQ that names a taker does not use that taker's share.
    expect(affordableTo(quotes, funds, verified(one), shares)).toBe(17n)
    expect(affordableTo(quotes, funds, verified(one.toLowerCase() as Address), shares)).toBe(17n)
    expect(affordableTo(quotes, funds, verified(two), shares)).toBe(20n)
    expect(affordableTo(quotes, funds, { ...unverified, taker: two }, shares)).toBe(6n)
  })

  test('behavior: at most the free funds, and zero if the share is used up', () => {
    expect(affordableTo([outstanding(70n)], funds, unverified, shares)).toBe(10n)
    expect(affordableTo([outstanding(16n, { asker: 'unverified' })], funds, unverified, shares)).toBe(0n)
    expect(affordableTo([outstanding(30n, { asker: 'unverified' })], funds, unverified, shares)).toBe(0n)
    expect(affordableTo([], funds, unverified, { ...shares, unverified: 0 })).toBe(0n)
    expect(affordableTo([], funds, unverified, { ...shares, unverified: 100 })).toBe(80n)
  })
})
