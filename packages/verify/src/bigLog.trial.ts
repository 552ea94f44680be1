import { expect, test } from '@jest/globals'
import { measureBigLog } from '../test/measureBigLog.ts'

test('behavior: a log of 10 million entries has proofs of 1.8 kB, and is read with flat memory', () => {
  const { build, prove, read } = measureBigLog(10_000_000)
  process.stdout.write(`${[build, prove, read].map((one) => JSON.stringify(one)).join('\n')}\n`)
  // A log proof with one cosignature, and one opening.
  expect(prove.proofBytes + prove.openingBytes).toBeLessThanOrEqual(1_800)
  expect(prove.tiles).toBeLessThanOrEqual(8)
  // The process alone has about 100 MiB. All hashes would have 320 MB.
  expect(read.peakMiB).toBeLessThan(250)
}, 3_600_000)
