import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import config from '../../../.dependency-cruiser.mjs'
import { root } from './pack.ts'

/**
 * One forbidden import for each rule in `.dependency-cruiser.mjs`: the importing file and the imported repository file
 * or module.
 */
const forbidden: Record<string, readonly [from: string, to: string]> = {
  'no-cycles': ['packages/core/src/cycleA.ts', 'packages/core/src/cycleB.ts'],
  'no-unlisted': ['packages/sdk/src/case.ts', 'unlisted'],
  resolvable: ['packages/sdk/src/case.ts', './missing.ts'],
  'packages-below-apps': ['packages/sdk/src/case.test.ts', 'apps/server/src/domain/target.ts'],
  'product-without-test-support': ['packages/sdk/src/case.ts', 'packages/sdk/test/target.ts'],
  'addresses-imports-nothing': ['packages/addresses/src/case.ts', 'packages/core/src/target.ts'],
  'core-imports-no-package': ['packages/core/src/case.ts', 'packages/addresses/src/target.ts'],
  sdk: ['packages/sdk/src/case.ts', 'apps/server/src/domain/target.ts'],
  react: ['packages/react/src/service/case.ts', 'apps/web/src/service/target.ts'],
  devnet: ['packages/devnet/src/case.ts', 'packages/sdk/src/target.ts'],
  'node-runtime': ['packages/nodeRuntime/src/case.ts', 'packages/sdk/src/target.ts'],
  verify: ['packages/verify/src/case.ts', 'packages/sdk/src/target.ts'],
  'test-support': ['tests/support/src/case.ts', 'packages/sdk/src/target.ts'],
  cluster: ['packages/cluster/src/case.ts', 'packages/core/src/target.ts'],
  simulator: ['tests/simulator/src/case.ts', 'packages/sdk/src/target.ts'],
  'simulator-runs-use-cases': ['tests/simulator/src/case.ts', 'apps/server/src/adapters/target.ts'],
  server: ['apps/server/src/app/case.ts', 'packages/sdk/src/target.ts'],
  daemon: ['apps/daemon/src/app/case.ts', 'packages/addresses/src/target.ts'],
  cli: ['apps/cli/src/case.ts', 'apps/daemon/src/app/target.ts'],
  web: ['apps/web/src/service/case.ts', 'packages/addresses/src/target.ts'],
  docs: ['apps/docs/src/case.ts', 'packages/addresses/src/target.ts'],
  'docs-describes-the-api': ['apps/docs/src/case.ts', 'apps/server/src/app/target.ts'],
  'web-devnet-for-demo-wallets': ['apps/web/src/chain/case.ts', 'packages/devnet/src/target.ts'],
  'examples-published-packages-only': ['examples/borrower/case.mjs', 'tests/support/src/target.ts'],
  'examples-without-packages': ['examples/maker/case.mjs', 'packages/sdk/dist/target.js'],
  'core-viem-and-zod-only': ['packages/core/src/wire/case.ts', 'listed'],
  'core-wasm-in-the-verifier-only': ['packages/core/src/wire/case.ts', 'ox'],
  'core-pure-files': ['packages/core/src/case.ts', 'zod'],
  'sdk-root-runs-anywhere': ['packages/sdk/src/http/case.ts', 'node:fs'],
  'react-runs-in-browsers': ['packages/react/src/chain/case.ts', 'react-dom'],
  'server-domain': ['apps/server/src/domain/case.ts', 'apps/server/src/ports/target.ts'],
  'server-ports': ['apps/server/src/ports/case.ts', 'apps/server/src/app/target.ts'],
  'server-scheduling': ['apps/server/src/scheduling/case.ts', 'apps/server/src/app/target.ts'],
  'server-app': ['apps/server/src/app/case.ts', 'apps/server/src/adapters/target.ts'],
  'server-entry': ['apps/server/src/entry/case.ts', 'apps/server/src/adapters/target.ts'],
  'server-entry/http': ['apps/server/src/entry/http/case.ts', 'apps/server/src/entry/ws/target.ts'],
  'server-entry/ws': ['apps/server/src/entry/ws/case.ts', 'apps/server/src/entry/http/target.ts'],
  'server-adapters': ['apps/server/src/adapters/case.ts', 'apps/server/src/app/target.ts'],
  'server-start': ['apps/server/src/start/case.ts', 'apps/server/src/admin/target.ts'],
  'server-admin': ['apps/server/src/admin/case.ts', 'apps/server/src/adapters/target.ts'],
  'daemon-domain': ['apps/daemon/src/domain/case.ts', 'apps/daemon/src/ports/target.ts'],
  'daemon-ports': ['apps/daemon/src/ports/case.ts', 'apps/daemon/src/adapters/target.ts'],
  'daemon-app': ['apps/daemon/src/app/case.ts', 'apps/daemon/src/adapters/target.ts'],
  'daemon-adapters': ['apps/daemon/src/adapters/case.ts', 'apps/daemon/src/app/target.ts'],
  'daemon-rpc': ['apps/daemon/src/rpc/case.ts', 'apps/daemon/src/adapters/target.ts'],
  'daemon-start': ['apps/daemon/src/start/case.ts', 'apps/daemon/src/rpc/target.ts'],
  'web-service': ['apps/web/src/service/case.ts', 'apps/web/src/chain/target.ts'],
  'web-copy': ['apps/web/src/copy/case.ts', 'apps/web/src/ui/target.ts'],
  'web-chain': ['apps/web/src/chain/case.ts', 'apps/web/src/ui/target.ts'],
  'web-ui': ['apps/web/src/ui/case.ts', 'apps/web/src/fixing/target.ts'],
  'web-fixing': ['apps/web/src/fixing/case.ts', 'apps/web/src/views/curve/target.ts'],
  'web-views': ['apps/web/src/views/curve/case.ts', 'apps/web/src/app/target.ts'],
  'web-views-stand-alone': ['apps/web/src/views/curve/case.ts', 'apps/web/src/views/history/target.ts'],
  'environment-only-in-main': ['apps/server/src/entry/http/case.ts', 'node:child_process'],
}

/** Similar but allowed imports, since a rule that forbids every import would pass the test above. */
const allowed: readonly (readonly [from: string, to: string])[] = [
  ['packages/core/src/wire/case.ts', 'zod'],
  ['packages/core/src/case.ts', 'viem'],
  ['packages/core/src/verifier/case.ts', 'ox'],
  ['packages/core/src/wire/case.ts', 'packages/core/src/target.ts'],
  ['packages/sdk/src/http/case.ts', 'packages/core/src/target.ts'],
  ['packages/sdk/src/daemon/case.ts', 'node:fs'],
  ['packages/sdk/src/case.test.ts', 'packages/devnet/src/target.ts'],
  ['packages/sdk/src/case.test.ts', 'packages/sdk/test/target.ts'],
  ['tests/simulator/src/case.ts', 'apps/server/src/app/target.ts'],
  ['tests/simulator/src/case.ts', 'apps/daemon/src/domain/target.ts'],
  ['tests/simulator/src/case.ts', 'apps/cli/src/proofs/logMonitor.ts'],
  ['apps/server/src/app/case.ts', 'apps/server/src/domain/target.ts'],
  ['apps/server/src/ports/case.ts', 'apps/server/src/domain/target.ts'],
  ['apps/server/src/adapters/case.ts', 'node:fs'],
  ['apps/server/src/admin/case.ts', 'apps/server/src/start/target.ts'],
  ['apps/daemon/src/app/case.ts', 'packages/sdk/src/target.ts'],
  ['packages/react/src/chain/case.ts', 'viem'],
  ['packages/react/src/chain/case.ts', 'packages/sdk/src/target.ts'],
  ['apps/web/src/views/curve/case.ts', 'apps/web/src/ui/target.ts'],
  ['apps/web/src/views/curve/case.ts', 'apps/web/src/fixing/target.ts'],
  ['apps/web/src/chain/announceDemoWallet.ts', 'packages/devnet/src/target.ts'],
  ['apps/web/src/service/case.ts', 'packages/react/src/target.ts'],
  ['examples/borrower/case.mjs', 'packages/sdk/dist/target.js'],
  ['examples/borrower/case.mjs', 'examples/borrower/target.mjs'],
  ['apps/docs/src/case.ts', 'apps/server/src/entry/http/description/target.ts'],
]

useFolder(beforeEach, afterEach)

function write(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text, { flag: 'a' })
}

const isFile = (path: string) => /^(?:packages|apps|tests|bench|examples)\//.test(path)

/** Writes the file `to` and a file that imports it. */
function writeImport(from: string, to: string): void {
  write(from, `import '${isFile(to) ? `./${relative(dirname(from), to)}` : to}'\n`)
  if (isFile(to)) write(to, '')
}

/** Installs empty modules as symbolic links, as pnpm does. */
function install(listed: readonly string[], ...unlisted: readonly string[]): void {
  for (const name of [...listed, ...unlisted]) {
    const real = `node_modules/.pnpm/node_modules/${name}`
    write(`${real}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' }))
    write(`${real}/index.js`, '')
    symlinkSync(join(folder, real), join(folder, 'node_modules', name))
  }
  write('package.json', JSON.stringify({ dependencies: Object.fromEntries(listed.map((name) => [name, '*'])) }))
}

/** Returns the violations in the tree, as `rule: file`. */
function violations(): string[] {
  for (const file of ['.dependency-cruiser.mjs', 'tsconfig.base.json']) {
    copyFileSync(join(root, file), join(folder, file))
  }
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'packages', 'apps', 'tests', 'examples']
  const { stdout, stderr } = spawnSync(join(root, 'node_modules/.bin/depcruise'), args, {
    cwd: folder,
    encoding: 'utf8',
  })
  if (stdout === '') throw new TypeError(stderr)
  const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } }
  return summary.violations.map(({ from, rule }) => `${rule.name}: ${from}`)
}

describe('the dependency rules', () => {
  test('default: every rule fails on a forbidden import', () => {
    expect(Object.keys(forbidden).sort()).toEqual(config.forbidden.map(({ name }) => name).sort())
    install(['zod', 'ox', 'viem', 'react-dom', 'listed'], 'unlisted')
    for (const [from, to] of Object.values(forbidden)) writeImport(from, to)
    writeImport('packages/core/src/cycleB.ts', 'packages/core/src/cycleA.ts')
    const found = violations()
    expect(Object.entries(forbidden).filter(([name, [from]]) => !found.includes(`${name}: ${from}`))).toEqual([])
  }, 60_000)

  test('default: allowed imports pass', () => {
    install(['zod', 'ox', 'viem'])
    for (const [from, to] of allowed) writeImport(from, to)
    expect(violations()).toEqual([])
  }, 60_000)

  test.each(Object.entries(forbidden))('behavior: %s refers to existing folders', (_name, paths) => {
    for (const path of paths.filter(isFile)) expect(existsSync(join(root, dirname(path)))).toBe(true)
  })
})
