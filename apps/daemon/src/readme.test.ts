import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { exampleConfiguration } from './exampleConfiguration.ts'
import { overrides, secretVariables } from './settings.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('behavior: the README shows what init writes', () => {
  const [, shown] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? []
  expect(shown).toBe(exampleConfiguration)
})

test('behavior: the README has every variable of the environment', () => {
  const rows = readme.split('\n').filter((line) => line.startsWith('| `FIRMQUOTE_'))
  expect(rows).toEqual([
    ...overrides.map(({ name, path, about }) => `| \`${name}\` | \`${path.join('.')}\` | ${about} |`),
    ...secretVariables.map(({ name, about }) => `| \`${name}\` | | ${about} |`),
  ])
})
