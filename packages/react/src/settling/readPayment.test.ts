import { expect, test } from '@jest/globals'
import { firstAfter } from './readPayment.ts'

test('default: finds the first log in a later block, or later in the same block', () => {
  const at = (blockNumber: bigint, logIndex: number) => ({ blockNumber, logIndex })
  const settlement = at(7n, 4)
  expect(firstAfter([at(6n, 9), at(7n, 3), at(7n, 4), at(7n, 5), at(8n, 0)], settlement)).toEqual(at(7n, 5))
  expect(firstAfter([at(7n, 3), at(8n, 0), at(9n, 0)], settlement)).toEqual(at(8n, 0))
  expect(firstAfter([at(6n, 5), at(7n, 4)], settlement)).toBeNull()
  expect(firstAfter([], settlement)).toBeNull()
})
