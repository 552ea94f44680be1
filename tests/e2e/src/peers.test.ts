// Runs tests of the packages with the lowest supported versions of their peer dependencies (decision 0054).
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { publishedPackages } from '../../../scripts/release/publishedPackages.ts'
import { packPackages, root } from './pack.ts'
import { runIn } from './project.ts'

/** Folders in `tests` whose dependencies are the lowest versions, with the test files that run with those. */
const testedWith = {
  peersWagmi2: [
    'packages/react/src/hooks.test.ts',
    'packages/react/src/serverRendering.test.ts',
    'packages/react/src/settling/settleAndRepay.test.ts',
    'packages/sdk/src/backer/backerSigner.test.ts',
    'packages/sdk/src/executability/checkExecutability.test.ts',
    'packages/sdk/src/taking/takeBest.test.ts',
    'apps/cli/src/approve.test.ts',
  ],
  peersWagmi3: ['packages/react/src/serverRendering.test.ts', 'packages/react/src/settling/useSettle.test.ts'],
}
const folders = Object.keys(testedWith)
const peers = ['@tanstack/react-query', 'react', 'viem', 'wagmi']

/** Refers to every published type, passes query options to TanStack Query, and selects from a hook's data. */
const use = `
export * as chain from '@firmquote/core/chain'
export * as endpoints from '@firmquote/core/endpoints'
export * as wire from '@firmquote/core/wire'
export * as devnet from '@firmquote/devnet'
export * as jobs from '@firmquote/sdk/jobs'
export * as proofs from '@firmquote/sdk/proofs'
export * as verify from '@firmquote/verify'
import { settledPositionsQuery, usePositions } from '@firmquote/react'
import { poolsQuery } from '@firmquote/react/query'
import { type AccountPositions, type PoolRates, ServiceClient } from '@firmquote/sdk'
import { QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
const client = new ServiceClient()
export const pools: PoolRates[] | undefined = useQuery(poolsQuery(client)).data
export const fetched: Promise<PoolRates[]> = new QueryClient().fetchQuery(poolsQuery(client))
const settled = useInfiniteQuery(settledPositionsQuery(client, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'))
export const pages: AccountPositions[] | undefined = settled.data?.pages
export const debts: number | undefined = usePositions({ query: { select: (account) => account.debts.length } }).data
`

let project: string

beforeAll(async () => {
  const packed = await packPackages()
  project = mkdtempSync(join(tmpdir(), 'firmquote-peers-'))
  for (const name of ['core', 'addresses', 'sdk', 'react', 'devnet', 'verify']) {
    const file = readdirSync(packed).find((tarball) => tarball.startsWith(`firmquote-${name}-`)) ?? name
    const folder = join(project, 'node_modules/@firmquote', name)
    mkdirSync(folder, { recursive: true })
    execFileSync('tar', ['-xzf', join(packed, file), '--strip-components=1', '-C', folder])
  }
}, 180_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

function manifestOf(folder: string): { devDependencies: Record<string, string> } {
  return JSON.parse(readFileSync(join(root, 'tests', folder, 'package.json'), 'utf8'))
}

/** Installs a dependency of a folder in the project. */
function link(name: string, from: string): void {
  const path = join(project, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(root, from, 'node_modules', name), path)
}

test('behavior: the tested versions are the lowest of each range in a published package', () => {
  const ranges = publishedPackages().flatMap(({ manifest: { dependencies, peerDependencies } }) =>
    Object.entries({ ...dependencies, ...(peerDependencies as typeof dependencies) }),
  )
  const lowest = ranges
    .filter(([name]) => peers.includes(name))
    .flatMap(([name, range]) => range.split(' || ').map((part) => `${name}@${part.replace(/^(?:\^|>=)/, '')}`))
  const tested = folders.flatMap((folder) =>
    Object.entries(manifestOf(folder).devDependencies)
      .filter(([name]) => peers.includes(name))
      .map(([name, version]) => `${name}@${version}`),
  )
  expect(new Set(lowest)).toEqual(new Set(tested))
})

test.each(Object.entries(testedWith))(
  'default: hooks, clients and programs work with the versions in tests/%s',
  async (folder, files) => {
    const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--maxWorkers=2', '--runTestsByPath']
    const output = await runIn(root, process.execPath, [...jest, ...files], {
      NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
      FIRMQUOTE_PEERS: join(root, 'tests', folder),
    })
    expect(output).toContain(`Test Suites: ${files.length} passed, ${files.length} total`)
  },
  120_000,
)

test('default: the published types are valid with the lowest versions', async () => {
  for (const name of peers) link(name, 'tests/peersWagmi2')
  link('zod', 'packages/core')
  link('@types/react', 'packages/react')
  writeFileSync(join(project, 'use.mts'), use)
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  // With `skipLibCheck`, a type that viem or TanStack Query lacks would become `any`.
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
  const output = await runIn(project, process.execPath, [tsc, ...flags, 'use.mts']).catch(String)
  expect(output.split('\n').filter((line) => /^(?:error|use|node_modules\/@firmquote)\b/.test(line))).toEqual([])
}, 60_000)
