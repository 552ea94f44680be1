import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { goals } from './goals.ts'

test('default: every goal is the goal of one finding, and no row states one of its own', () => {
  const folder = join(import.meta.dirname, 'rows')
  const source = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const used = [...source.matchAll(/\bgoals\.(?!ts\b)(\w+)/g)].map(([, name]) => name)
  expect(used.sort()).toEqual(Object.keys(goals).sort())
  expect(source).not.toMatch(/\bgoal: \{|\blimit: ['`]/)
})
