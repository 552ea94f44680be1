import type { RFQResult, RfqId } from '@firmquote/sdk'
import { describe, expect, test } from '@jest/globals'
import { loadRecentAuctions, rememberAuction } from './recentAuctions.ts'

const key = 'firmquote.auctions'
const auction = (rfqId: string): RFQResult => ({
  rfqId: rfqId as RfqId,
  poolId: '0x22',
  seriesKey: '0x33',
  expiry: 2_000_000_000,
  notional: 2n ** 200n,
  openedAt: 1_000,
  closesAt: 16_000,
  status: 'open',
  closedAt: null,
  backers: 3,
  rejectedCount: 0,
  quotes: [],
})

function createStorage(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
  } as unknown as Storage
}

describe('recentAuctions', () => {
  test('default: the last five, newest first, each once, their terms alone', () => {
    const storage = createStorage()
    for (const rfqId of ['a', 'b', 'c', 'd', 'e', 'f', 'b']) rememberAuction(storage, auction(rfqId))
    expect(loadRecentAuctions(storage).map(({ rfqId }) => rfqId)).toEqual(['b', 'f', 'e', 'd', 'c'])
    expect(loadRecentAuctions(storage)[0]).toEqual({
      rfqId: 'b',
      poolId: '0x22',
      seriesKey: '0x33',
      expiry: 2_000_000_000,
      notional: 2n ** 200n,
      openedAt: 1_000,
    })
  })

  test('error: what cannot be read is left out', () => {
    const storage = createStorage()
    for (const text of ['{', '5', '[null]', '[{"rfqId":"a"}]']) {
      storage.setItem(key, text)
      expect(loadRecentAuctions(storage)).toEqual([])
    }
  })
})
