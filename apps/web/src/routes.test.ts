import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { auctionFormHref, readAuctionDraft } from './routes.ts'

const [poolId, seriesKey]: Hex[] = [`0x${'2'.repeat(64)}`, `0x${'3'.repeat(64)}`]

describe('readAuctionDraft', () => {
  test('default: reads what auctionFormHref writes', () => {
    for (const draft of [{}, { poolId }, { poolId, seriesKey, notional: 250_000_000_000n }] as const) {
      expect(readAuctionDraft(auctionFormHref(draft as object).split('?')[1] ?? '')).toEqual(draft)
    }
  })

  test('error: what makes no sense is left out', () => {
    expect(readAuctionDraft('pool=0x12&series=<script>&notional=-5')).toEqual({})
    expect(readAuctionDraft('notional=0x10')).toEqual({})
    expect(readAuctionDraft('notional=1e6')).toEqual({})
  })
})
