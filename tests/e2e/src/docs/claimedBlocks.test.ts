import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { fencedBlocks } from './fencedBlocks.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync('**/*.md', {
  cwd: join(root, 'apps/docs'),
  exclude: ['node_modules/**', 'dist/**', '**/node_modules', 'README.md'],
}).sort()
const tests = globSync('tests/e2e/src/{docs,walkthroughs}/*.{test,trial}.ts', { cwd: root }).map(textOf)

describe('every fenced block of the documentation belongs to a test', () => {
  // Fenced blocks that a reader may type or copy. `text` blocks are program output.
  const withCode = pages.filter((page) =>
    fencedBlocks(textOf(`apps/docs/${page}`)).some((block) => block.language !== 'text'),
  )
  test('behavior: there are such pages', () => expect(withCode.length).toBeGreaterThan(10))

  test.each(withCode)('behavior: a test or trial of tests/e2e/src/docs or walkthroughs runs apps/docs/%s', (page) => {
    expect(tests.filter((text) => text.includes(page))).not.toEqual([])
  })
})
