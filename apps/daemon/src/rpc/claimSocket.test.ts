import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { RfqDaemonClient } from '@firmquote/sdk/node'
import { afterEach, describe, expect, test } from '@jest/globals'
import { type ServedSocket, serveSocket } from './serveSocket.ts'
import { openRawLine } from './testing/rawLine.ts'
import { createListLog, createSocketFolder, leaveStaleSocket } from './testing/socketFolder.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function folder() {
  const created = createSocketFolder()
  closers.push(created.remove)
  return created
}

async function serve(socketPath: string, name = 'first'): Promise<ServedSocket> {
  const methods = { getPolicy: async () => ({ name }) }
  const served = await serveSocket({ socketPath, methods, log: createListLog() })
  closers.push(served.close)
  return served
}

/** Who answers at a path, asked by the SDK's client, which refuses what is not private. */
async function whoAnswers(socketPath: string): Promise<unknown> {
  const client = new RfqDaemonClient({ socketPath })
  try {
    return (await client.getPolicy())['name']
  } finally {
    client.close()
  }
}

const isRoot = process.getuid?.() === 0
const asRoot = isRoot ? test : test.skip
const reason = isRoot ? '' : ' (left out: only root can give something to another user)'

describe('the socket', () => {
  test.each(['000', '022', '077'])('default: is made with mode 600, whatever the umask (%s)', async (mask) => {
    const { folder: place, path } = folder()
    const umask = Number.parseInt(mask, 8)
    const before = process.umask(umask)
    try {
      await serve(path)
      expect(process.umask()).toBe(umask)
      expect(lstatSync(path).mode & 0o777).toBe(0o600)
      expect(lstatSync(join(place, '.service.sock.lock')).mode & 0o777).toBe(0o700)
      expect(await whoAnswers(path)).toBe('first')
    } finally {
      process.umask(before)
    }
  })

  test('behavior: nothing is left when it is closed', async () => {
    const { folder: place, path } = folder()
    const served = await serve(path)
    await served.close()
    await served.close()
    expect(readdirSync(place)).toEqual([])
  })

  test('behavior: at the close another one at its path is left alone', async () => {
    const { folder: place, path } = folder()
    const served = await serve(path)
    unlinkSync(path)
    const other = createServer()
    await new Promise<void>((listening) => other.listen(path, listening))
    await served.close()
    expect(readdirSync(place)).toEqual([basename(path)])
    await new Promise((closed) => other.close(closed))
  })

  test('behavior: one that was removed by hand, and its lock too, harms no close', async () => {
    const { folder: place, path, remove } = folder()
    const served = await serve(path)
    remove()
    await served.close()
    expect(existsSync(place)).toBe(false)
  })
})

describe('what is at the path already', () => {
  test('behavior: a stale socket of ours is replaced, also one of mode 666', async () => {
    const { path } = folder()
    await leaveStaleSocket(path)
    chmodSync(path, 0o666)
    const { ino } = lstatSync(path)
    await serve(path)
    expect(lstatSync(path).ino).not.toBe(ino)
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(await whoAnswers(path)).toBe('first')
  })

  test('error: a second daemon refuses to start; the first goes on', async () => {
    const { folder: place, path } = folder()
    await serve(path)
    const before = readdirSync(place)
    await expect(serve(path, 'second')).rejects.toMatchObject({
      name: 'SocketTakenError',
      code: 'SOCKET_TAKEN',
      shortMessage: `Another daemon has ${path}: end it first, or give this one another socket path.`,
    })
    expect(readdirSync(place)).toEqual(before)
    expect(await whoAnswers(path)).toBe('first')
  })

  test.each(['600', '666'])('error: a program without our lock listens there (mode %s)', async (mode) => {
    const { folder: place, path } = folder()
    const other = createServer()
    await new Promise<void>((listening) => other.listen(path, listening))
    closers.push(() => new Promise((closed) => other.close(closed)))
    chmodSync(path, Number.parseInt(mode, 8))
    await expect(serve(path)).rejects.toMatchObject({ code: 'SOCKET_TAKEN' })
    expect(readdirSync(place)).toEqual([basename(path)])
  })

  test('error: a link, though it leads to a stale socket of ours', async () => {
    const { folder: place, path } = folder()
    await leaveStaleSocket(join(place, 'real.sock'))
    symlinkSync('real.sock', path)
    await expect(serve(path)).rejects.toMatchObject({
      code: 'SOCKET_PATH_REFUSED',
      fault: 'link',
      shortMessage: `${path} is a link: remove it, or choose another socket path.`,
    })
    expect(readdirSync(place).sort()).toEqual(['real.sock', 'service.sock'])
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
  })

  test('error: a file and a folder', async () => {
    const { folder: place, path } = folder()
    const other = join(place, 'folder.sock')
    writeFileSync(path, 'precious')
    mkdirSync(other)
    await expect(serve(path)).rejects.toMatchObject({
      fault: 'not_a_socket',
      shortMessage: `${path} is a file, not a socket: choose another socket path.`,
    })
    await expect(serve(other)).rejects.toMatchObject({
      fault: 'not_a_socket',
      shortMessage: `${other} is a folder, not a socket: choose another socket path.`,
    })
    expect(readdirSync(place).sort()).toEqual(['folder.sock', 'service.sock'])
  })

  asRoot.each(['stale', 'answered'])(`error: another user's socket (%s)${reason}`, async (state) => {
    const { folder: place, path } = folder()
    if (state === 'stale') await leaveStaleSocket(path)
    else {
      const other = createServer()
      await new Promise<void>((listening) => other.listen(path, listening))
      chmodSync(path, 0o600)
      closers.push(() => new Promise((closed) => other.close(closed)))
    }
    chownSync(path, 12_345, 12_345)
    await expect(serve(path)).rejects.toMatchObject({
      fault: 'other_owner',
      shortMessage: `${path} is a socket of another user (uid 12345): choose another socket path.`,
    })
    expect(readdirSync(place)).toEqual([basename(path)])
    const client = new RfqDaemonClient({ socketPath: path })
    await expect(client.status()).rejects.toMatchObject({ name: 'DaemonSocketError', fault: 'other_owner' })
  })

  test.each(['a file', 'a link', 'an open folder'])('error: where its lock goes is %s', async (what) => {
    const { folder: place, path } = folder()
    const lock = join(place, '.service.sock.lock')
    if (what === 'a file') writeFileSync(lock, 'precious')
    if (what === 'a link') symlinkSync(place, lock)
    if (what === 'an open folder') {
      mkdirSync(lock)
      chmodSync(lock, 0o777)
    }
    await expect(serve(path)).rejects.toMatchObject({
      code: 'SOCKET_PATH_REFUSED',
      shortMessage: expect.stringContaining(`${lock} stands where the daemon keeps its lock`),
    })
    expect(readdirSync(place)).toEqual([basename(lock)])
  })

  test('error: in its lock is something that no daemon has put there', async () => {
    const { folder: place, path } = folder()
    const lock = join(place, '.service.sock.lock')
    mkdirSync(lock, { mode: 0o700 })
    writeFileSync(join(lock, 'notes'), 'precious')
    await expect(serve(path)).rejects.toMatchObject({
      shortMessage: `${join(lock, 'notes')} is no lock of a daemon: remove it.`,
    })
    expect(readdirSync(place)).toEqual([basename(lock)])
  })
})

describe('where the path leads', () => {
  test('error: a folder that others may write to; with the sticky bit it is fine', async () => {
    const { folder: place, path } = folder()
    chmodSync(place, 0o777)
    await expect(serve(path)).rejects.toMatchObject({
      fault: 'unsafe_folder',
      shortMessage: `Other users may write to ${place} (mode 777), so they could replace the socket: take that from them (chmod go-w), or choose another folder.`,
    })
    chmodSync(place, 0o1777)
    await serve(path)
    expect(await whoAnswers(path)).toBe('first')
  })

  test('error: a folder within one that others may write to', async () => {
    const { folder: place } = folder()
    mkdirSync(join(place, 'inner'))
    chmodSync(place, 0o770)
    await expect(serve(join(place, 'inner', 'service.sock'))).rejects.toMatchObject({
      fault: 'unsafe_folder',
      shortMessage: expect.stringContaining(`write to ${place} (mode 770)`),
    })
  })

  test('behavior: over links of this user, each place of which is safe', async () => {
    const { folder: place } = folder()
    const { folder: other } = folder()
    mkdirSync(join(place, 'real'))
    symlinkSync('real', join(place, 'near'))
    symlinkSync(join(place, 'near'), join(other, 'far'))
    await serve(join(other, 'far', 'service.sock'))
    expect(await whoAnswers(join(place, 'real', 'service.sock'))).toBe('first')
  })

  test('error: a link that stands where others may write', async () => {
    const { folder: place } = folder()
    const { folder: open } = folder()
    mkdirSync(join(place, 'real'))
    symlinkSync(join(place, 'real'), join(open, 'link'))
    symlinkSync(join(open, 'link'), join(place, 'link'))
    chmodSync(open, 0o777)
    await expect(serve(join(place, 'link', 'service.sock'))).rejects.toMatchObject({ fault: 'unsafe_folder' })
  })

  asRoot(`error: a folder of another user, and another user's link${reason}`, async () => {
    const { folder: place, path } = folder()
    const { folder: theirs } = folder()
    chownSync(theirs, 12_345, 12_345)
    await expect(serve(join(theirs, 'service.sock'))).rejects.toMatchObject({
      fault: 'unsafe_folder',
      shortMessage: `${theirs} belongs to another user (uid 12345), who could replace the socket: choose a folder of your own.`,
    })
    symlinkSync(place, join(place, 'link'))
    lchownSync(join(place, 'link'), 12_345, 12_345)
    await expect(serve(join(place, 'link', basename(path)))).rejects.toMatchObject({ fault: 'unsafe_folder' })
  })

  test('error: no folder, a file for a folder, links in a circle', async () => {
    const { folder: place } = folder()
    writeFileSync(join(place, 'file'), '')
    symlinkSync('circle', join(place, 'circle'))
    for (const name of ['none', 'file', 'circle']) {
      await expect(serve(join(place, name, 'service.sock'))).rejects.toMatchObject({
        fault: 'no_folder',
        shortMessage: `There is no folder ${join(place, name)} for the socket: make it, with mode 700.`,
      })
    }
  })

  test('error: a path that is too long would be cut off by the system', async () => {
    const { folder: place } = folder()
    const path = join(place, `${'x'.repeat(100)}.sock`)
    await expect(serve(path)).rejects.toMatchObject({
      fault: 'too_long',
      shortMessage: expect.stringMatching(/ is \d+ bytes too long for a Unix socket: choose a shorter path\.$/),
    })
    expect(readdirSync(place)).toEqual([])
  })
})

describe('many at the same moment', () => {
  test.each(['nothing', 'a stale socket', 'a stale socket and a stale lock'])(
    'behavior: exactly one wins over %s, and all the others say so',
    async (before) => {
      for (let round = 0; round < 10; round++) {
        const { folder: place, path, remove } = createSocketFolder()
        if (before !== 'nothing') await leaveStaleSocket(path)
        if (before.endsWith('lock')) {
          mkdirSync(join(place, '.service.sock.lock'), { mode: 0o700 })
          await leaveStaleSocket(join(place, '.service.sock.lock', 'dead'))
        }
        const started = await Promise.allSettled(
          Array.from({ length: 20 }, (_, index) =>
            serveSocket({
              socketPath: path,
              methods: { getPolicy: async () => ({ name: index }) },
              log: createListLog(),
            }),
          ),
        )
        const winners = started.flatMap((one, index) =>
          one.status === 'fulfilled' ? [{ index, served: one.value }] : [],
        )
        expect(winners).toHaveLength(1)
        for (const one of started) {
          if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'SOCKET_TAKEN' })
        }
        expect(readdirSync(place).sort()).toEqual(['.service.sock.lock', 'service.sock'])
        expect(await whoAnswers(path)).toBe(winners[0]?.index)
        await winners[0]?.served.close()
        expect(readdirSync(place)).toEqual([])
        remove()
      }
    },
  )

  test('behavior: of processes too; after kill -9 the next ones find a stale socket, and again one wins', async () => {
    const { folder: place, path } = folder()
    const script = `
      const { serveSocket } = await import(process.argv[1])
      const log = { debug() {}, info() {}, error() {} }
      console.log('ready')
      process.stdin.once('data', async () => {
        try {
          await serveSocket({ socketPath: process.argv[2], methods: { getPolicy: async () => ({ name: process.pid }) }, log })
          console.log('won')
        } catch (error) {
          console.log(error.code)
        }
      })
      process.stdin.once('end', () => process.exit())`
    const module = new URL('./serveSocket.ts', import.meta.url).href
    const start = async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', script, module, path], {
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...process.env, NODE_OPTIONS: '' },
      })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      await lines.next()
      return { child, lines }
    }
    const end = async (child: ChildProcess) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    for (let round = 0; round < 2; round++) {
      const all = await Promise.all(Array.from({ length: 4 }, start))
      closers.push(() => Promise.all(all.map(({ child }) => end(child))))
      for (const { child } of all) child.stdin.write('go\n')
      const words = await Promise.all(all.map(async ({ lines }) => (await lines.next()).value))
      expect([...words].sort()).toEqual(['SOCKET_TAKEN', 'SOCKET_TAKEN', 'SOCKET_TAKEN', 'won'])
      expect(await whoAnswers(path)).toBe(all[words.indexOf('won')]?.child.pid)
      await Promise.all(all.map(({ child }) => end(child)))
      expect(readdirSync(place).sort()).toEqual(['.service.sock.lock', 'service.sock'])
    }
    await serve(path, 'last')
    expect(await whoAnswers(path)).toBe('last')
  })

  test('behavior: while the first one finishes its calls, a second is refused', async () => {
    const { path } = folder()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const first = await serveSocket({ socketPath: path, methods: { wait: () => held }, log: createListLog() })
    closers.push(first.close, release)
    const line = await openRawLine(path)
    closers.push(() => line.socket.destroy())
    line.write('{"jsonrpc":"2.0","id":1,"method":"wait"}\n')
    expect(await line.ask({ jsonrpc: '2.0', id: 2, method: 'none' })).toMatchObject({ id: 2 })
    const closed = first.close()
    await expect(serve(path, 'second')).rejects.toMatchObject({ code: 'SOCKET_TAKEN' })
    release()
    expect(await line.next()).toEqual({ jsonrpc: '2.0', id: 1, result: null })
    await closed
    await serve(path, 'second')
    expect(await whoAnswers(path)).toBe('second')
  })
})
