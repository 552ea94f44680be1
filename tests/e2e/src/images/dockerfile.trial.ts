import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@firmquote/cluster/freePort'
import { startDevnet } from '@firmquote/devnet'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { root } from '../pack.ts'
import { layOutBase } from './baseTree.ts'
import { inTree, type RehearsedImage, rehearseDockerfile } from './rehearseDockerfile.ts'

// Every step of both Dockerfiles is run on a bare Debian, without Docker, and what comes of it is started as a container would be:
// as its user, process 1 of its own, on a tree that cannot be written but for its volume.

const isRoot = process.getuid?.() === 0
const hasDebootstrap = spawnSync('debootstrap', ['--version']).status === 0
const given = isRoot && hasDebootstrap ? test : test.skip
/** The most that an image may have beside its base, in MB. */
const largest = { server: 85, daemon: 80 }

let folder: string
let ends: (() => Promise<unknown> | unknown)[] = []

beforeAll(() => {
  if (!isRoot || !hasDebootstrap) return
  folder = mkdtempSync(join(tmpdir(), 'firmquote-image-'))
  // The image's user comes through here to its volume.
  execFileSync('chmod', ['711', folder])
  mkdirSync(join(folder, 'base'))
  layOutBase(join(folder, 'base'))
}, 300_000)
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  ends = []
}, 60_000)
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true })
}, 60_000)

function build(app: 'server' | 'daemon'): RehearsedImage {
  const stages = join(folder, app)
  mkdirSync(stages)
  const dockerfile = join(root, 'apps', app, 'deploy', 'Dockerfile')
  return rehearseDockerfile({ dockerfile, context: root, base: join(folder, 'base'), folder: stages })
}

/** Starts an image with nothing to write to but its volumes, which lie in folders of their own. */
function start(image: RehearsedImage, variables: Record<string, string>, args: readonly string[] = []) {
  const mounts = image.volumes.flatMap((volume) => {
    const data = mkdtempSync(join(folder, 'volume-'))
    chownSync(data, 1000, 1000)
    return [`mount --bind '${data}' "$tree${volume}"`]
  })
  const environment = { ...image.environment, ...variables }
  const readOnly = ['mount -o remount,bind,ro "$tree"', ...mounts]
  const [program, given] = inTree({ ...image, environment }, [...image.entrypoint, ...args], readOnly)
  const child = spawn(program, given, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      output += part
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string)
  ends.push(() => {
    child.kill('SIGKILL')
    return ended
  })
  return { child, ended, output: () => output, environment }
}

/** The process that a container's process 1 is on this machine. */
function insideOf({ pid }: ChildProcess): number {
  const [inside] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return Number(inside)
}

/** What `HEALTHCHECK` says: its exit status, as if it ran in the container. */
function checkHealth(image: RehearsedImage, inside: number, environment: Record<string, string>) {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const [uid, gid] = image.user.split(':')
  const entered = [
    '--target',
    String(inside),
    '--mount',
    '--pid',
    '--root',
    '--setuid',
    uid ?? '',
    '--setgid',
    gid ?? '',
  ]
  const command = ['/usr/bin/env', '-i', ...variables, ...image.healthcheck]
  return spawnSync('nsenter', [...entered, '--', ...command], { encoding: 'utf8', timeout: 5_000 }).status
}

function megabytesBeside(image: RehearsedImage): number {
  const sizeOf = (tree: string) =>
    Number(execFileSync('du', ['-s', '--block-size=1000', tree], { encoding: 'utf8' }).split('\t')[0])
  return (sizeOf(image.folder) - sizeOf(join(folder, 'base'))) / 1_000
}

describe('the image of the server', () => {
  given(
    'default: it is built step by step, serves on a tree that it cannot write, and ends in order',
    async () => {
      const image = build('server')
      const devnet = await startDevnet()
      ends.push(devnet.stop)
      const port = await freePort()
      const staleness = { HEAD_DEGRADED_SECONDS: '36000', HEAD_STALE_SECONDS: '36000' }
      const running = start(image, { RPC_URL: devnet.rpcUrl, PORT: String(port), ...staleness })
      await until(() => /^ready /m.test(running.output()), running.output)
      const inside = insideOf(running.child)

      const status = readFileSync(`/proc/${inside}/status`, 'utf8')
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m)
      expect(status).toMatch(/^NSpid:\t\d+\t1$/m)
      expect(status).toMatch(/^CapEff:\t0{16}$/m)
      expect(execFileSync('cat', [`/proc/${inside}/mounts`], { encoding: 'utf8' })).toMatch(/^\S+ \/ \S+ ro,/m)
      expect(readdirSync(`/proc/${inside}/root/data`)).toContain('firmquote.db')
      const { status: ready } = await fetch(`http://127.0.0.1:${port}/readyz`)
      expect(ready).toBe(200)

      expect(checkHealth(image, inside, running.environment)).toBe(0)
      process.kill(inside, 'SIGSTOP')
      expect(checkHealth(image, inside, running.environment)).not.toBe(0)
      process.kill(inside, 'SIGCONT')

      // As `docker stop` does it.
      process.kill(inside, image.stopSignal)
      expect({ ended: await running.ended, output: running.output() }).toMatchObject({ ended: 0 })

      // What reached the build is not in it.
      for (const file of ['/root/.npmrc', '/repository']) expect(existsSync(join(image.folder, file))).toBe(false)
      expect(readdirSync(join(image.folder, 'data'))).toEqual([])
      expect(megabytesBeside(image)).toBeLessThan(largest.server)
    },
    600_000,
  )
})

describe('the image of the daemon', () => {
  given(
    'default: it is built step by step, and runs on a tree that it cannot write',
    async () => {
      const image = build('daemon')
      const running = start(image, {}, ['--version'])
      expect({ ended: await running.ended, output: running.output() }).toEqual({
        ended: 0,
        output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      })
      const [check = '', ...args] = image.healthcheck
      const asked = start({ ...image, entrypoint: [check] }, {}, args)
      // No daemon runs: that is not healthy.
      expect(await asked.ended).not.toBe(0)
      expect(megabytesBeside(image)).toBeLessThan(largest.daemon)
    },
    600_000,
  )
})

async function until(is: () => boolean, output: () => string): Promise<void> {
  for (const end = Date.now() + 60_000; !is(); await sleep(50)) {
    if (Date.now() > end) throw new Error(`It has not become ready:\n${output()}`)
  }
}
