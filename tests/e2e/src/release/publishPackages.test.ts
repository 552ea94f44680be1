import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { integrityOf } from '../../../../scripts/release/integrityOf.mjs'
import { verifyPackages } from '../../../../scripts/release/verifyPackages.mjs'
import { root } from '../pack.ts'
import { config } from './config.ts'
import { createRegistry, type Registry } from './createRegistry.ts'

const run = promisify(execFile)

let folder: string
let registry: Registry

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-publish-'))
  registry = await createRegistry()
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  prepare(['a', 'b'], '1.0.0')
})

afterEach(async () => {
  await registry.close()
  rmSync(folder, { recursive: true })
})

/** Two small packages, as `prepare` leaves them. */
function prepare(names: string[], version: string) {
  const prepared = names.map((short) => {
    const name = `@firmquote/${short}`
    const file = `firmquote-${short}-${version}.tgz`
    const content = join(folder, 'content', 'package')
    mkdirSync(content, { recursive: true })
    const manifest = { name, version, publishConfig: { access: 'public', provenance: true } }
    writeFileSync(join(content, 'package.json'), JSON.stringify(manifest))
    execFileSync('tar', ['--mtime=@0', '-czf', join(folder, file), '-C', join(folder, 'content'), 'package'])
    return { name, version, file, integrity: integrityOf(readFileSync(join(folder, file))) }
  })
  writeFileSync(join(folder, 'release.json'), JSON.stringify(prepared))
}

/** Runs a command of the script; resolves to what it printed, fails with what it complained of. */
async function release(command: string, ...options: string[]): Promise<string> {
  const { host } = new URL(registry.url)
  const env = {
    ...process.env,
    NODE_OPTIONS: '',
    [`npm_config_//${host}/:_authToken`]: 'a-token',
    npm_config_cache: join(folder, 'cache'),
    npm_config_update_notifier: 'false',
  }
  const args = [join(root, 'scripts/release.mjs'), command, '--from', folder, '--registry', registry.url, ...options]
  try {
    return (await run(process.execPath, args, { env })).stdout
  } catch (error) {
    throw new TypeError((error as { stderr: string }).stderr)
  }
}
const publish = () => release('publish', '--no-provenance')

describe('publish', () => {
  test('default: publishes what was prepared in its order, and once', async () => {
    expect(await publish()).toContain('@firmquote/a@1.0.0 is published\n@firmquote/b@1.0.0 is published\n')
    expect(await publish()).toBe('@firmquote/a@1.0.0 is there already\n@firmquote/b@1.0.0 is there already\n')
    expect(registry.published).toEqual(['@firmquote/a@1.0.0 latest', '@firmquote/b@1.0.0 latest'])
  })

  test('behavior: goes on where it has stopped, and users do not get an early version by themselves', async () => {
    prepare(['a', 'b'], '1.1.0-rc.1')
    registry.publish('@firmquote/a', '1.1.0-rc.1', readFileSync(join(folder, 'firmquote-a-1.1.0-rc.1.tgz')), 'next')
    expect(await publish()).toContain('@firmquote/a@1.1.0-rc.1 is there already')
    expect(registry.published).toEqual(['@firmquote/a@1.1.0-rc.1 next', '@firmquote/b@1.1.0-rc.1 next'])
  })

  test('error: another content under the same version ends it before anything is published', async () => {
    registry.publish('@firmquote/b', '1.0.0', Buffer.from('other'), 'latest')
    await expect(publish()).rejects.toThrow('has @firmquote/b@1.0.0 with another content')
    expect(registry.published).toEqual(['@firmquote/b@1.0.0 latest'])
  })

  test('error: a tarball that was changed, and a file elsewhere', async () => {
    appendFileSync(join(folder, 'firmquote-b-1.0.0.tgz'), 'x')
    await expect(publish()).rejects.toThrow(
      'firmquote-b-1.0.0.tgz is not the tarball that release.json was written for',
    )
    writeFileSync(join(folder, 'release.json'), JSON.stringify([{ name: 'a', version: '1.0.0', file: '../a.tgz' }]))
    await expect(publish()).rejects.toThrow('../a.tgz is no file of')
    expect(registry.published).toEqual([])
  })

  test('error: credentials in the address of the registry are refused, and not repeated', async () => {
    const { message } = await release('publish', '--registry', 'http://ann:secret@registry.example').catch(
      (error) => error,
    )
    expect(message).toContain('--registry takes an http or https address, without credentials.')
    expect(message).not.toContain('secret')
  })
})

describe('verify', () => {
  const label = '@firmquote/b@1.0.0'
  beforeEach(() => {
    for (const short of ['a', 'b']) {
      const content = readFileSync(join(folder, `firmquote-${short}-1.0.0.tgz`))
      registry.publish(`@firmquote/${short}`, '1.0.0', content, 'latest')
      registry.attest(`@firmquote/${short}`, '1.0.0', { repository: config.repository })
    }
  })

  async function verify(repository: string | undefined = config.repository, patience = 0): Promise<string[]> {
    const told: string[] = []
    await verifyPackages(folder, registry.url, { repository, patience, tell: (line) => told.push(line) })
    return told
  }

  test('default: the registry has what was made, made by a workflow of the repository', async () => {
    expect(await verify()).toContain(`${label} is what was made, by a workflow of https://github.com/example/firmquote`)
  })

  test('default: as a command, without provenance', async () => {
    for (const short of ['a', 'b']) delete registry.record(`@firmquote/${short}`, '1.0.0').attestations
    expect(await release('verify', '--no-provenance', '--patience', '0')).toContain(`${label} is what was made\n`)
  })

  test('behavior: waits until the registry shows it', async () => {
    delete registry.record('@firmquote/b', '1.0.0').attestations
    const reads = registry.reads
    const waiting = verify(config.repository, 20_000)
    while (registry.reads < reads + 4) await new Promise((resolve) => setImmediate(resolve))
    registry.attest('@firmquote/b', '1.0.0', { repository: config.repository })
    expect(await waiting).toHaveLength(2)
  })

  test.each<[string, () => unknown, string]>([
    ['is not there', () => prepare(['c'], '1.0.0'), 'does not show @firmquote/c@1.0.0'],
    [
      'has another integrity',
      () => {
        registry.record('@firmquote/b', '1.0.0').integrity = 'sha512-other'
      },
      'names another integrity, sha512-other',
    ],
    [
      'has another download',
      () => registry.downloads.set('/-/firmquote-b-1.0.0.tgz', Buffer.from('x')),
      'is not what was made',
    ],
    [
      'has no provenance',
      () => {
        delete registry.record('@firmquote/b', '1.0.0').attestations
      },
      'there is no provenance',
    ],
    [
      'has a statement of another kind',
      () => registry.attest('@firmquote/b', '1.0.0', { repository: config.repository, type: 'other' }),
      'there is no provenance',
    ],
    [
      'has a statement about another tarball',
      () => registry.attest('@firmquote/b', '1.0.0', { repository: config.repository, sha512: '00' }),
      'its provenance is about another tarball',
    ],
    [
      'was made elsewhere',
      () => registry.attest('@firmquote/b', '1.0.0', { repository: 'https://github.com/other/firmquote' }),
      'its provenance names https://github.com/other/firmquote',
    ],
  ])('error: a package %s', async (_what, change, message) => {
    change()
    await expect(verify()).rejects.toThrow(message)
  })
})

test('error: a package cannot be published from its folder', async () => {
  const npm = run('npm', ['publish', '--registry', registry.url], {
    cwd: join(root, 'packages/core'),
    env: { ...process.env, NODE_OPTIONS: '', [`npm_config_//${new URL(registry.url).host}/:_authToken`]: 'a-token' },
  })
  await expect(npm).rejects.toThrow('Packages are published as `npm run release -- prepare` packs them')
  expect(registry.published).toEqual([])
})
