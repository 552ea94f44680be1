import { expect, test } from '@jest/globals'
import { measureBigLog } from '../test/measureBigLog.ts'

// `bigLog.trial.ts` repeats this with 10 million entries.
test('behavior: a log of 70,000 entries is read and proved from its tiles', () => {
  const { prove } = measureBigLog(70_000)
  // One tile of each of three levels, and the last tile of the leaves.
  expect(prove).toMatchObject({ hashes: 17, tiles: 4 })
}, 120_000)
