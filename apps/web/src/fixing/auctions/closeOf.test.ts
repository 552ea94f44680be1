import { expect, test } from '@jest/globals'
import { closeOf } from './closeOf.ts'

test('default: when it has closed, until then when it will', () => {
  expect(closeOf({ closesAt: 20_999, closedAt: 19_999 })).toBe(19)
  expect(closeOf({ closesAt: 20_999, closedAt: null })).toBe(20)
})
