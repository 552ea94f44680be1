import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { verifyPackages } from '../../../../scripts/release/verifyPackages.ts'
import { root } from '../pack.ts'
import { createRegistry, type Registry } from './createRegistry.ts'
import { publishScript } from './publishScript.ts'

const run = promisify(execFile)

let folder: string
let registry: Registry

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-publish-'))
  registry = await createRegistry()
  prepare('1.0.0')
})

afterEach(async () => {
  await registry.stop()
  rmSync(folder, { recursive: true })
})

/** Writes two small packages in the layout that `prepare` produces. `a` depends on `b`. */
function prepare(version: string) {
  rmSync(join(folder, 'prepared'), { recursive: true, force: true })
  const workspace = join(folder, 'prepared', 'packages')
  for (const [short, dependencies] of Object.entries({ a: { '@firmquote/b': `^${version}` }, b: {} })) {
    mkdirSync(join(workspace, short), { recursive: true })
    const manifest = { name: `@firmquote/${short}`, version, dependencies, publishConfig: { provenance: true } }
    writeFileSync(join(workspace, short, 'package.json'), JSON.stringify(manifest))
  }
  writeFileSync(join(workspace, 'pnpm-workspace.yaml'), "packages: ['*']\nlinkWorkspacePackages: true\n")
  const args = ['--recursive', 'pack', '--json', '--pack-destination', join(folder, 'prepared')]
  const packed = execFileSync(join(root, 'node_modules/.bin/pnpm'), args, { cwd: workspace })
  writeFileSync(join(folder, 'prepared', 'release.json'), packed)
}

const prepared = (): { name: string; version: string; integrity: string }[] =>
  JSON.parse(readFileSync(join(folder, 'prepared', 'release.json'), 'utf8'))

describe("the workflow's publish job", () => {
  const publish = (version = '1.0.0', digest?: string) =>
    publishScript({ folder, version, registry: registry.url, token: 'a-token', ...(digest && { digest }) })

  test('default: publishes the prepared packages once, dependencies first', async () => {
    await publish()
    await publish()
    expect(registry.uploads).toEqual(['@firmquote/b@1.0.0 latest', '@firmquote/a@1.0.0 latest'])
    for (const { name, version, integrity } of prepared())
      expect(registry.dist(name, version)).toMatchObject({ integrity })
  })

  test('behavior: resumes, and does not tag a prerelease as latest', async () => {
    prepare('1.1.0-rc.1')
    const [first] = prepared()
    registry.publish('@firmquote/b', '1.1.0-rc.1', first?.integrity ?? '', 'next')
    await publish('1.1.0-rc.1')
    expect(registry.uploads).toEqual(['@firmquote/b@1.1.0-rc.1 next', '@firmquote/a@1.1.0-rc.1 next'])
  })

  test('error: publishes nothing if the registry has different content for one of the versions', async () => {
    registry.publish('@firmquote/a', '1.0.0', 'sha512-other')
    await expect(publish()).rejects.toThrow(/@firmquote\/a@1\.0\.0: \S+ has different content, sha512-other\./)
    expect(registry.uploads).toEqual(['@firmquote/a@1.0.0 latest'])
  })

  test("error: publishes nothing from an artifact that differs from the build's", async () => {
    await expect(publish('1.0.0', '0'.repeat(64))).rejects.toThrow('computed checksum did NOT match')
    expect(registry.uploads).toEqual([])
  })
})

describe('verify', () => {
  const options = { provenance: true, partial: false, patience: 0 }
  const verify = (change = {}) =>
    verifyPackages(join(folder, 'prepared'), { ...options, registry: registry.url, ...change })
  beforeEach(() => {
    for (const { name, version, integrity } of prepared()) {
      registry.publish(name, version, integrity)
      registry.dist(name, version).attestations = { provenance: {} }
    }
  })

  test('default: accepts the prepared packages with provenance', async () => {
    await verify()
  })

  test('behavior: waits until the registry lists the provenance', async () => {
    const dist = registry.dist('@firmquote/a', '1.0.0')
    delete dist.attestations
    const verified = verify({ patience: 20_000 })
    for (let read = 0; read < 3; read += 1) await once(registry.reads, 'read')
    dist.attestations = { provenance: {} }
    await verified
  })

  test('error: different content, no provenance, no such version, and no answer', async () => {
    const dist = registry.dist('@firmquote/a', '1.0.0')
    const { integrity } = dist
    dist.integrity = 'sha512-other'
    await expect(verify()).rejects.toThrow('has different content, sha512-other')
    dist.integrity = integrity
    delete dist.attestations
    await expect(verify()).rejects.toThrow(/^@firmquote\/a@1\.0\.0: \S+ shows no provenance\.$/)
    await verify({ provenance: false })
    prepare('1.0.1')
    await expect(verify()).rejects.toThrow(/^@firmquote\/b@1\.0\.1: \S+ shows no such version\.$/)
    await verify({ partial: true })
    await expect(verify({ registry: 'http://127.0.0.1:1' })).rejects.toThrow('fetch failed')
  })
})

test('error: a package cannot be published from its folder', async () => {
  const npm = run('npm', ['publish', '--registry', registry.url], {
    cwd: join(root, 'packages/core'),
    env: { ...process.env, NODE_OPTIONS: '', [`npm_config_//${new URL(registry.url).host}/:_authToken`]: 'a-token' },
  })
  await expect(npm).rejects.toThrow('The release.yml workflow publishes the packages')
  expect(registry.uploads).toEqual([])
})
