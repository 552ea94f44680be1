import { describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import {
  acceptHref,
  curveHref,
  fixHref,
  historyHref,
  marketsHref,
  parseAuctionDraft,
  parseMarketsAddress,
  parsePositionId,
  parseTogether,
  positionHref,
  quoteHref,
} from './routes.ts'
import { parseCurveAddress } from './views/curve/parseCurveAddress.ts'
import { parseFilters } from './views/history/historyFilters.ts'

const [poolId, seriesKey]: Hex[] = [`0x${'2'.repeat(64)}`, `0x${'3'.repeat(64)}`]

describe('parseAuctionDraft', () => {
  test('default: reads what fixHref writes', () => {
    const full = { poolId, seriesKey, notional: 250_000_000_000n, limit: 4_000_000_000n }
    for (const draft of [{}, { poolId }, full] as const) {
      expect(parseAuctionDraft(fixHref(draft as object).split('?')[1] ?? '')).toEqual(draft)
    }
  })

  test('error: what makes no sense is left out', () => {
    expect(parseAuctionDraft('pool=0x12&series=<script>&notional=-5')).toEqual({})
    expect(parseAuctionDraft('notional=0x10')).toEqual({})
    expect(parseAuctionDraft('notional=1e6&limit=0')).toEqual({})
  })
})

const queryOf = (href: string) => href.split('?')[1] ?? ''

describe('acceptHref', () => {
  const [first, second] = [`0x${'4'.repeat(64)}`, `0x${'5'.repeat(64)}`] as const

  test('default: the offers that are taken together are read as they were written, in their order', () => {
    expect(acceptHref('ab', first)).toBe(`#/auction/ab/${first}`)
    expect(parseTogether(queryOf(acceptHref('ab', first)))).toEqual([])
    expect(parseTogether(queryOf(acceptHref('ab', second, [first, second])))).toEqual([first, second])
    expect(quoteHref(first)).toBe(`#/quote/${first}`)
    expect(parseTogether(queryOf(quoteHref(second, [second, first])))).toEqual([second, first])
  })

  test('error: what is no hash is left out', () => {
    expect(parseTogether(`together=0x12,,${first},<script>`)).toEqual([first])
  })
})

describe('marketsHref', () => {
  test.each([{}, { size: 5n }, { by: 'rate', descending: true }, { size: 1n, by: 'depth' }])(
    'default: parsed again, %p',
    (address) => {
      expect(parseMarketsAddress(queryOf(marketsHref(address)))).toEqual(address)
    },
  )

  test('behavior: an invalid size is ignored', () => {
    expect(parseMarketsAddress('size=0&order=up')).toEqual({})
  })
})

describe('curveHref', () => {
  test('default: written as it is read', () => {
    expect(curveHref()).toBe('#/curve')
    for (const address of [
      { poolId },
      { size: 5n },
      { firmOnly: true },
      { poolId, size: 5n, firmOnly: true },
    ] as const) {
      expect(parseCurveAddress(queryOf(curveHref(address as object)))).toMatchObject(address)
    }
  })
})

describe('historyHref', () => {
  test('default: written as it is read', () => {
    expect(historyHref()).toBe('#/history')
    const maker = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65'
    const filters = [{ poolId }, { expiry: 1 }, { maker }, { executable: true }] as const
    for (const filter of [...filters, Object.assign({}, ...filters)]) {
      expect(parseFilters(new URLSearchParams(queryOf(historyHref(filter as object))))).toEqual(filter)
    }
  })
})

describe('parsePositionId', () => {
  test('default: reads what positionHref writes', () => {
    for (const id of [1n, 10n ** 77n]) expect(parsePositionId(positionHref(id).slice('#/position/'.length))).toBe(id)
  })

  test('error: what is no number of a position', () => {
    for (const text of ['', '0', '01', '-1', '1e3', '0x1', '1 ', '9'.repeat(79)])
      expect(parsePositionId(text)).toBeNull()
  })
})
