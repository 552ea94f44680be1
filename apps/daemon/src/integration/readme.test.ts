import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracingVariables } from '@firmquote/node-runtime/tracingSettings'
import { tableRows } from '@firmquote/test-support/tableRows'
import { expect, test } from '@jest/globals'
import { JSONRPCErrorCode } from 'json-rpc-2.0'
import { zeroAddress } from 'viem'
import { bytesOf, exampleFill } from '../../test/exampleFill.ts'
import { loadModuleHook } from '../adapters/fillHook/loadModuleHook.ts'
import { describeFill } from '../domain/fill.ts'
import { daemonMethodNames } from '../rpc/daemonMethods.ts'
import { daemonRpcCodes } from '../rpc/daemonRpcCodes.ts'
import { exampleConfiguration } from '../start/exampleConfiguration.ts'
import { overrides, secretVariables } from '../start/settings.ts'

const [configurationPage, fillsPage, socketPage] = ['configuration', 'fills', 'socket'].map((name) =>
  readFileSync(new URL(`../../../../docs/daemon-${name}.md`, import.meta.url), 'utf8'),
) as [string, string, string]
/** Returns the first two cells of each row in the socket documentation's tables. */
const rows = tableRows(socketPage).map((cells) => cells.slice(0, 2))

test('behavior: docs/daemon-configuration.md shows the file that init writes', () => {
  const [, shown] = /```yaml\n([\s\S]*?)```/.exec(configurationPage) ?? []
  expect(shown).toBe(exampleConfiguration)
})

test('behavior: the hook of docs/daemon-fills.md keeps one file per fill, however often it is called', async () => {
  const [, script = ''] = /```js\n(import [^`]*export default async function onFilled[\s\S]*?)```/.exec(fillsPage) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-readme-'))
  const file = join(folder, 'hedge.mjs')
  writeFileSync(file, script.replaceAll('hedges', join(folder, 'hedges')))
  try {
    const hook = await loadModuleHook(file)
    const { signal } = new AbortController()
    const party = { chainId: 8453, quoteMarket: zeroAddress, maker: zeroAddress }
    const [one, other] = [exampleFill(), exampleFill({ hash: bytesOf(2) })]
    for (const fill of [one, one, other])
      await hook(describeFill(fill, { event: 'filled', final: false }, party), signal)
    for (const _twice of [1, 2]) await hook(describeFill(other, { event: 'reverted', final: false }, party), signal)
    expect(readdirSync(join(folder, 'hedges'))).toEqual([`${one.hash}.json`])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('behavior: docs/daemon-fills.md has every field of the input of a hook', () => {
  const notice = describeFill(
    exampleFill(),
    { event: 'filled', final: false },
    { chainId: 8453, quoteMarket: zeroAddress, maker: zeroAddress },
  )
  const [, section = ''] = /\n## Input\n([\s\S]*?)\n## /.exec(fillsPage) ?? []
  const named = tableRows(section).flatMap(([first = '']) => [...first.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual(Object.keys(notice).sort())
})

test('behavior: docs/daemon-configuration.md has every environment variable', () => {
  const variables = configurationPage.split('\n').filter((line) => /^\| `(?:FIRMQUOTE|OTEL)_/.test(line))
  expect(variables).toEqual([
    ...overrides.map(({ name, path, about }) => `| \`${name}\` | \`${path.join('.')}\` | ${about} |`),
    ...secretVariables.map(({ name, about }) => `| \`${name}\` | | ${about} |`),
    ...Object.entries(tracingVariables).map(([name, { about }]) => `| \`${name}\` | | ${about} |`),
  ])
})

test('behavior: docs/daemon-socket.md has every error code with its name', () => {
  const { ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError } = JSONRPCErrorCode
  expect(rows.filter(([code]) => /^-\d/.test(code ?? ''))).toEqual([
    ...[ParseError, InvalidRequest, MethodNotFound, InvalidParams, InternalError].map((code) => [String(code), '']),
    ...Object.entries(daemonRpcCodes).map(([name, code]) => [String(code), `\`${name}\``]),
  ])
})

test('behavior: docs/daemon-socket.md has every method', () => {
  const documented = rows.map(([first]) => first)
  expect(documented.filter((cell) => cell && /^`[a-z][A-Za-z]+`$/.test(cell))).toEqual(
    expect.arrayContaining(daemonMethodNames.map((name) => `\`${name}\``)),
  )
})
