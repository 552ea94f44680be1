import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { probeSocket } from './probeSocket.ts'
import { takeLock } from './takeLock.ts'
import { createSocketFolder, leaveStaleSocket } from './testing/socketFolder.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const uid = process.getuid?.() ?? 0

async function prepare() {
  const { folder, path, remove } = createSocketFolder()
  closers.push(remove)
  const lock = join(folder, 'lock')
  /** A process that listens, and has yet to take the lock. */
  const start = async (name: string) => {
    const draft = join(folder, `draft-${name}`)
    mkdirSync(draft, { mode: 0o700 })
    const server: Server = createServer((socket) => socket.destroy())
    await new Promise<void>((listening) => server.listen(join(draft, name), listening))
    closers.push(() => new Promise((closed) => server.close(closed)))
    return { draft, lock, socketPath: path, uid }
  }
  const leaveStaleLock = async () => {
    mkdirSync(lock, { mode: 0o700 })
    await leaveStaleSocket(join(lock, 'dead'))
  }
  return { lock, start, leaveStaleLock }
}

test('behavior: who has seen a stale lock, and comes back to it when another has taken it, is refused', async () => {
  const { lock, start, leaveStaleLock } = await prepare()
  await leaveStaleLock()
  const quick = await start('quick')
  const slow = await start('slow')
  let taken = false
  const probe = async (path: string) => {
    const state = await probeSocket(path)
    if (!taken) await takeLock(quick)
    taken = true
    return state
  }
  await expect(takeLock({ ...slow, probe })).rejects.toMatchObject({ code: 'SOCKET_TAKEN' })
  expect(readdirSync(lock)).toEqual(['quick'])
})

test('behavior: a lock that goes while it is looked at is taken', async () => {
  const { lock, start, leaveStaleLock } = await prepare()
  await leaveStaleLock()
  const next = await start('next')
  const probe = async (path: string) => {
    const state = await probeSocket(path)
    rmSync(lock, { recursive: true })
    return state
  }
  await takeLock({ ...next, probe })
  expect(readdirSync(lock)).toEqual(['next'])
})

test('error: a holder that cannot be asked counts as there', async () => {
  const { lock, start, leaveStaleLock } = await prepare()
  await leaveStaleLock()
  const next = await start('next')
  await expect(takeLock({ ...next, probe: async () => 'answers' })).rejects.toMatchObject({ code: 'SOCKET_TAKEN' })
  expect(readdirSync(lock)).toEqual(['dead'])
})
