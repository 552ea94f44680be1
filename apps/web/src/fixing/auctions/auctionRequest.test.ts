import { describe, expect, test } from '@jest/globals'
import { auctionRequest } from './auctionRequest.ts'

const terms = { poolId: '0x11', seriesKey: '0x22', notional: 1_000n } as const

describe('auctionRequest', () => {
  test('default: offers of a tenth and more, of any maker, at any price', () => {
    expect(auctionRequest(terms)).toEqual({ ...terms, minNotional: 100n })
  })

  test('behavior: a tenth is rounded up', () => {
    expect(auctionRequest({ ...terms, notional: 1_001n }).minNotional).toBe(101n)
    expect(auctionRequest({ ...terms, notional: 1n }).minNotional).toBe(1n)
  })

  test('behavior: for one account, and up to a limit', () => {
    const taker = '0x00000000000000000000000000000000000000aa'
    expect(auctionRequest({ ...terms, cap: 7n, taker })).toEqual({
      ...terms,
      minNotional: 100n,
      maxVrtAmount: 7n,
      taker,
    })
  })
})
