import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { readmeBlocks } from '../readmeBlocks.ts'
import { pagesClaimedBy } from './claimedBlocks.ts'
import { fencedBlocks } from './fencedBlocks.ts'

/** The commands of the README, which `start.test.ts` and `readme.test.ts` run. */
const commands = readmeBlocks(join(root, 'README.md')).flatMap(({ text }) =>
  text.split('\n').map((line) => line.replace(/\s+#.*$/, '')),
)

describe('the pages that repeat commands of the README', () => {
  test.each(pagesClaimedBy('docs/pages.test.ts').map((file) => [relative(root, file), file]))(
    'behavior: %s has no other',
    (_name, file) => {
      const lines = fencedBlocks(readFileSync(file, 'utf8')).flatMap(({ text }) => text.split('\n'))
      expect(lines).not.toEqual([])
      expect(commands).toEqual(expect.arrayContaining(lines))
    },
  )
})
