import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { daemonMethodNames } from './daemonMethods.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'
import { rpcCodes } from './rpcError.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
/** The first two cells of the rows of all tables. */
const rows = readme
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .slice(0, 2)
      .map((cell) => cell.trim()),
  )

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
