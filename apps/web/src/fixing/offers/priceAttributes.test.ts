import { expect, test } from '@jest/globals'
import { hex } from '../../../test/fixing/exampleMarket.ts'
import { priceAttributes, standingOf } from './priceAttributes.ts'

const price = { notional: 1_000_000n, cost: 30_000n, expiry: 1_900_000_000 }
const figures = { 'data-notional': '1000000', 'data-cost': '30000', 'data-expiry': '1900000000' }

test('default: a firm price names the offers behind it', () => {
  expect(priceAttributes(price, [hex('01'), hex('02')])).toEqual({
    ...figures,
    'data-standing': 'firm',
    'data-offer': `${hex('01')} ${hex('02')}`,
  })
})

test.each(['estimate', 'seen'] as const)('behavior: a price with the standing %s names none', (standing) => {
  expect(priceAttributes(price, standing)).toEqual({ ...figures, 'data-standing': standing })
})

test('behavior: a rate at a size is firm by its offers alone', () => {
  const rate = { notional: 1n, effectiveApy: 6, cost: 1n }
  expect(standingOf({ ...rate, kind: 'firm', hash: hex('01') })).toEqual([hex('01')])
  const together = [hex('01'), hex('02')] as const
  expect(standingOf({ ...rate, kind: 'firm', hash: hex('01'), together })).toEqual(together)
  const basis = { from: 'offer', notional: 2n, at: 1 } as const
  expect(standingOf({ ...rate, kind: 'estimate', basis })).toBe('estimate')
})
