import { expect, test } from '@jest/globals'
import { examplePool, examplePosition, now } from '../../../test/fixing/exampleMarket.ts'
import { sortPositions } from './sortPositions.ts'

test('default: the soonest to mature first, with their pools', () => {
  const late = examplePosition({ expiry: now + 2, positionId: 1n })
  const early = examplePosition({ expiry: now + 1, positionId: 2n })
  const pool = examplePool()
  expect(sortPositions([late, early], [pool])).toEqual([
    { position: early, pool },
    { position: late, pool },
  ])
})

test('behavior: without its pool a position is left out', () => {
  const poolId = `0x${'cc'.repeat(32)}` as const
  expect(sortPositions([examplePosition({ poolId })], [examplePool()])).toEqual([])
})
