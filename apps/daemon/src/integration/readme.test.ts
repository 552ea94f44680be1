import { readFileSync } from 'node:fs'
import { tableRows } from '@firmquote/testing/tableRows'
import { expect, test } from '@jest/globals'
import { JSONRPCErrorCode } from 'json-rpc-2.0'
import { daemonMethodNames } from '../rpc/daemonMethods.ts'
import { daemonRpcCodes } from '../rpc/daemonRpcCodes.ts'
import { exampleConfiguration } from '../start/exampleConfiguration.ts'
import { overrides, secretVariables } from '../start/settings.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
/** The first two cells of the rows of all tables. */
const rows = tableRows(readme).map((cells) => cells.slice(0, 2))

test('behavior: the README shows what init writes', () => {
  const [, shown] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? []
  expect(shown).toBe(exampleConfiguration)
})

test('behavior: the README has every variable of the environment', () => {
  const variables = readme.split('\n').filter((line) => line.startsWith('| `FIRMQUOTE_'))
  expect(variables).toEqual([
    ...overrides.map(({ name, path, about }) => `| \`${name}\` | \`${path.join('.')}\` | ${about} |`),
    ...secretVariables.map(({ name, about }) => `| \`${name}\` | | ${about} |`),
  ])
})

test('behavior: the README has every code of the socket with its name', () => {
  const { ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError } = JSONRPCErrorCode
  expect(rows.filter(([code]) => /^-\d/.test(code ?? ''))).toEqual([
    ...[ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError].map((code) => [String(code), '']),
    ...Object.entries(daemonRpcCodes).map(([name, code]) => [String(code), `\`${name}\``]),
  ])
})

test('behavior: the README has every method of the socket', () => {
  const documented = rows.map(([first]) => first)
  expect(documented.filter((cell) => cell && /^`[a-z][A-Za-z]+`$/.test(cell))).toEqual(
    expect.arrayContaining(daemonMethodNames.map((name) => `\`${name}\``)),
  )
})
