import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { claimedBlocks } from './claimedBlocks.ts'
import { fencedBlocks } from './fencedBlocks.ts'

const folder = join(root, 'apps/docs')
const pages = globSync('**/*.md', { cwd: folder, exclude: ['node_modules/**', 'dist/**', '**/node_modules'] })
  .filter((path) => path !== 'README.md')
  .sort()

/** What a person may type or copy; `text` is what a program prints. */
const hasCode = (markdown: string) => fencedBlocks(markdown).some(({ language }) => language !== 'text')

describe('every fenced block of the documentation belongs to a test', () => {
  test('behavior: there are pages', () => expect(pages).toContain('index.md'))

  test.each(pages)('behavior: apps/docs/%s', (page) => {
    const claimed = claimedBlocks[page] !== undefined
    expect({ page, claimed }).toEqual({ page, claimed: hasCode(readFileSync(join(folder, page), 'utf8')) })
  })

  test('behavior: each claim is of a page that is there, by a test that reads it', () => {
    for (const [page, file] of Object.entries(claimedBlocks)) {
      expect([page, existsSync(join(folder, page))]).toEqual([page, true])
      expect(file).toMatch(/\.(?:test|trial)\.ts$/)
      const source = readFileSync(join(root, 'tests/e2e/src', file), 'utf8')
      // By its name, or with all that the test claims.
      expect([page, source.includes(page) || source.includes('pagesClaimedBy(')]).toEqual([page, true])
    }
  })
})
