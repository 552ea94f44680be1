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

describe('fencedBlocks', () => {
  test('default: language, text and line', () => {
    const markdown = 'a\n\n```sh\nnpm start\n```\n\n  ````ts twoslash\n  const a = 1\n  ````\n'
    expect(fencedBlocks(markdown)).toEqual([
      { language: 'sh', text: 'npm start', line: 3 },
      { language: 'ts', text: '  const a = 1', line: 7 },
    ])
  })

  test('behavior: a fence of tildes, a shorter fence inside, and a block that nothing closes', () => {
    const markdown = '~~~yaml\na: 1\n~~~\n````md\n```sh\nls\n```\n````\n```\nopen'
    expect(fencedBlocks(markdown)).toEqual([
      { language: 'yaml', text: 'a: 1', line: 1 },
      { language: 'md', text: '```sh\nls\n```', line: 4 },
      { language: '', text: 'open', line: 9 },
    ])
  })
})
