import { expect, test } from '@jest/globals'
import { playUnknownCommits } from '../../test/unknownCommits.ts'

test('behavior: whatever the writer loses, the row of a quote and what its maker was told agree', async () => {
  expect(await playUnknownCommits(200, 1)).toBe(200)
}, 30_000)
