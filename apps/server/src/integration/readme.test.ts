import { readFileSync } from 'node:fs'
import { closeCodes, codes } from '@firmquote/core'
import { type Endpoint, endpoints, problems } from '@firmquote/core/endpoints'
import { tableRows } from '@firmquote/test-support/tableRows'
import { expect, test } from '@jest/globals'
import { isAddress } from 'viem'
import { settingLines } from '../start/usage.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const rows = tableRows(readme)

/** Contracts move with each deployment; the table names where they come from. */
function defaultCell(fallback: string): string {
  if (isAddress(fallback)) return 'of `@firmquote/addresses`'
  return fallback && `\`${fallback}\``
}

test.each([
  ['Basic', true],
  ['Advanced', false],
])('behavior: the README has every setting of %s with its default, in the order of --help', (heading, isBasic) => {
  const [, section = ''] = readme.split(`\n### ${heading}\n`)
  const [, , ...documented] = tableRows(section.split(/^#+ /m)[0] ?? '')
  expect(documented).toEqual(
    settingLines()
      .filter((line) => line.isBasic === isBasic)
      .map(({ name, about, fallback }) => [`\`${name}\``, defaultCell(fallback), about]),
  )
})

test('behavior: the README has every code with its status', () => {
  const documented = rows
    .filter(([first]) => first && /^`[A-Z_]+`$/.test(first))
    .map(([first, second]) => [first, second])
  for (const code of codes) expect(documented).toContainEqual([`\`${code}\``, String(problems[code].status)])
})

test('behavior: the README has every endpoint of the API, and no other', () => {
  const ofApi = Object.values<Endpoint>(endpoints).filter(({ root }) => !root)
  const documented = rows.flatMap(([first = '']) => /^`((?:GET|POST|DELETE) \/[^`?]*)/.exec(first)?.[1] ?? [])
  expect(documented.sort()).toEqual(
    ofApi.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`).sort(),
  )
})

test('behavior: the README has every close code', () => {
  const documented = rows.map(([first]) => first)
  for (const code of Object.values(closeCodes)) expect(documented).toContain(String(code))
})
