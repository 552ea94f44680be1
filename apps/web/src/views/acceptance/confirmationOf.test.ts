import { expect, test } from '@jest/globals'
import { confirmationOf } from './confirmationOf.ts'

test('default: counts from the first request to the last', () => {
  expect([3, 2, 1].map((left) => confirmationOf(3, left))).toEqual([1, 2, 3].map((number) => ({ number, count: 3 })))
})

test('behavior: a request that is added counts', () => {
  expect(confirmationOf(1, 2)).toEqual({ number: 1, count: 2 })
})

test('behavior: a single request has no number', () => {
  expect([confirmationOf(1, 1), confirmationOf(3, 0)]).toEqual([null, null])
})
