import { expect, test } from '@jest/globals'
import { sortPositions } from './sortPositions.ts'
import { examplePool, examplePosition, hex, later } from './testing/exampleMarket.ts'

test('default: the soonest to mature first, with their pools', () => {
  const late = examplePosition({ ...later, positionId: 1n })
  const early = examplePosition({ positionId: 2n })
  const pool = examplePool()
  expect(sortPositions([late, early], [pool])).toEqual([
    { position: early, pool },
    { position: late, pool },
  ])
})

test('behavior: without its pool a position is left out', () => {
  expect(sortPositions([examplePosition({ poolId: hex('cc') })], [examplePool()])).toEqual([])
})
