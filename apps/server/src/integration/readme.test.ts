import { readFileSync } from 'node:fs'
import { type Endpoint, endpoints } from '@firmquote/core/endpoints'
import { tableRows } from '@firmquote/test-support/tableRows'
import { expect, test } from '@jest/globals'
import { isAddress } from 'viem'
import { synopsis } from '../admin/command.ts'
import { commands } from '../admin/commands.ts'
import { settingLines } from '../start/usage.ts'

// Error codes and close codes are checked in protocolDocument.test.ts.

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const settingsPage = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8')

/** Returns the rows of the settings tables under a heading. */
function settingRows(document: string, heading: string): string[][] {
  const [, level = '', rest = ''] = new RegExp(`^(#+) ${heading}\\n([\\s\\S]*)`, 'm').exec(document) ?? []
  const [section = ''] = rest.split(new RegExp(`^${level} `, 'm'))
  return tableRows(section).filter(([first]) => /^`[A-Z]/.test(first ?? ''))
}

/** Contract addresses change with each deployment, so the table names their source instead. */
function defaultCell(fallback: string): string {
  if (isAddress(fallback)) return 'of `@firmquote/addresses`'
  return fallback && `\`${fallback}\``
}

test.each([
  ['the README', readme, 'Settings', true],
  ['docs/settings.md', settingsPage, 'Basic', true],
  ['docs/settings.md', settingsPage, 'Advanced', false],
])('behavior: %s has every setting with its default, in the order of --help', (_name, document, heading, isBasic) => {
  expect(settingRows(document, heading)).toEqual(
    settingLines()
      .filter((line) => line.isBasic === isBasic)
      .map(({ name, about, fallback }) => [`\`${name}\``, defaultCell(fallback), about]),
  )
})

test('behavior: docs/operating.md has every admin command, in the order of the help', () => {
  const operating = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8')
  const [, section = ''] = /^## Controlling a running server\n([\s\S]*?)^## /m.exec(operating) ?? []
  const names = new Set(commands.map(({ words }) => words.split(' ')[0]))
  const rows = tableRows(section).filter(([first]) => names.has(/^`(\w+)/.exec(first ?? '')?.[1] ?? ''))
  expect(rows).toEqual(commands.map((command) => [`\`${synopsis(command)}\``, command.about]))
})

test('behavior: the README lists exactly the endpoints of the API', () => {
  const ofApi = Object.values<Endpoint>(endpoints).filter(({ root }) => !root)
  const documented = tableRows(readme).flatMap(
    ([first = '']) => /^`((?:GET|POST|DELETE) \/[^`?]*)/.exec(first)?.[1] ?? [],
  )
  expect(documented.sort()).toEqual(
    ofApi.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`).sort(),
  )
})
