import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { goals } from './goals.ts'

test('default: every goal has one figure', () => {
  const folder = join(import.meta.dirname, 'rows')
  const source = readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n')
  const measured = [...source.matchAll(/\b(\w+): (?:await )?\w+\(/g)].map(([, name]) => name ?? '')
  expect(measured.filter((name) => name in goals).sort()).toEqual(Object.keys(goals).sort())
})
