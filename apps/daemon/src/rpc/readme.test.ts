import { readFileSync } from 'node:fs'
import { tableRows } from '@firmquote/testing/tableRows'
import { expect, test } from '@jest/globals'
import { daemonMethodNames } from './daemonMethods.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'
import { rpcCodes } from './rpcError.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
/** The first two cells of the rows of all tables. */
const rows = tableRows(readme).map((cells) => cells.slice(0, 2))

test('behavior: the README has every code with its name', () => {
  expect(rows.filter(([code]) => /^-\d/.test(code ?? ''))).toEqual([
    ...Object.values(rpcCodes).map((code) => [String(code), '']),
    ...Object.entries(daemonRpcCodes).map(([name, code]) => [String(code), `\`${name}\``]),
  ])
})

test('behavior: the README has every method', () => {
  const documented = rows.map(([first]) => first)
  expect(documented.filter((cell) => cell && /^`[a-z][A-Za-z]+`$/.test(cell))).toEqual(
    expect.arrayContaining(daemonMethodNames.map((name) => `\`${name}\``)),
  )
})
