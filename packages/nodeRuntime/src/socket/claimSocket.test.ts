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
import { createListLog } from '@firmquote/test-support/listLog'
import { createSocketFolder, leaveStaleSocket } from '@firmquote/test-support/socketFolder'
import { startingEnvironment } from '@firmquote/test-support/startProgram'
import { afterEach, describe, expect, test } from '@jest/globals'
import { callSocket } from './callSocket.ts'
import { serveSocket } from './serveSocket.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function createFolder() {
  const created = createSocketFolder()
  closers.push(created.remove)
  return created
}

async function serve(socketPath: string, name: unknown = 'first') {
  const methods = { name: async () => name }
  const served = await serveSocket({ socketPath, methods, program: 'server', log: createListLog() })
  closers.push(served.close)
  return served
}

/** Starts another program listening at a path. */
async function listen(path: string): Promise<void> {
  const other = createServer()
  await new Promise<void>((listening) => other.listen(path, listening))
  closers.push(() => new Promise((closed) => other.close(closed)))
}

/** Returns the name of the program listening at a path. */
const nameOf = (socketPath: string) => callSocket({ socketPath, program: 'server', method: 'name', params: {} })

const isRoot = process.getuid?.() === 0
const asRoot = isRoot ? test : test.skip
const reason = isRoot ? '' : ' [NOT RUN: only root can give something to another user]'

describe('the socket', () => {
  test.each(['000', '022', '077'])('default: is made with mode 600 under the umask %s', async (mask) => {
    const { folder, path } = createFolder()
    const umask = Number.parseInt(mask, 8)
    const before = process.umask(umask)
    try {
      await serve(path)
      expect(process.umask()).toBe(umask)
      expect(lstatSync(path).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder)).toEqual([basename(path)])
      expect(await nameOf(path)).toBe('first')
    } finally {
      process.umask(before)
    }
  })

  test('behavior: close removes it; a second close has no effect', async () => {
    const { folder, path } = createFolder()
    const served = await serve(path)
    await served.close()
    await served.close()
    expect(readdirSync(folder)).toEqual([])
  })

  test('behavior: close leaves another socket at its path', async () => {
    const { folder, path } = createFolder()
    const served = await serve(path)
    unlinkSync(path)
    await listen(path)
    await served.close()
    expect(readdirSync(folder)).toEqual([basename(path)])
  })

  test('behavior: closes even if its folder was removed', async () => {
    const { folder, path, remove } = createFolder()
    const served = await serve(path)
    remove()
    await served.close()
    expect(existsSync(folder)).toBe(false)
  })
})

describe('an existing file at the path', () => {
  test('behavior: a stale socket of this user is replaced, also one of mode 666', async () => {
    const { path } = createFolder()
    await leaveStaleSocket(path)
    chmodSync(path, 0o666)
    const { ino } = lstatSync(path)
    await serve(path)
    expect(lstatSync(path).ino).not.toBe(ino)
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(await nameOf(path)).toBe('first')
  })

  test('behavior: after kill -9 the next process replaces the socket', async () => {
    const { path } = createFolder()
    const script = `
      const { serveSocket } = await import(process.argv[1])
      const log = { debug() {}, info() {}, error() {} }
      await serveSocket({ socketPath: process.argv[2], methods: { name: async () => 'killed' }, program: 'server', log })
      console.log('listening')`
    const module = new URL('./serveSocket.ts', import.meta.url).href
    const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script, module, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...startingEnvironment() },
    })
    closers.push(() => child.kill('SIGKILL'))
    if (child.stdout) await once(createInterface({ input: child.stdout }), 'line')
    expect(await nameOf(path)).toBe('killed')
    await expect(serve(path)).rejects.toMatchObject({ code: 'SOCKET_TAKEN' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await serve(path, 'next')
    expect(await nameOf(path)).toBe('next')
  })

  test.each(['nothing', 'a stale socket'])('behavior: of twenty at the same moment one wins over %s', async (what) => {
    for (let round = 0; round < 3; round++) {
      const { folder, path } = createFolder()
      if (what !== 'nothing') await leaveStaleSocket(path)
      const started = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => serve(path, index)))
      const winners = [...started.keys()].filter((index) => started[index]?.status === 'fulfilled')
      expect(winners).toHaveLength(1)
      for (const one of started) {
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'SOCKET_TAKEN' })
      }
      expect(readdirSync(folder)).toEqual([basename(path)])
      expect(await nameOf(path)).toBe(winners[0])
    }
  })

  test.each(['600', '666'])('error: a program listens there (mode %s)', async (mode) => {
    const { folder, path } = createFolder()
    await listen(path)
    chmodSync(path, Number.parseInt(mode, 8))
    await expect(serve(path)).rejects.toMatchObject({
      name: 'SocketTakenError',
      code: 'SOCKET_TAKEN',
      shortMessage: `Another server is using ${path}: stop it first, or choose another socket path.`,
    })
    expect(readdirSync(folder)).toEqual([basename(path)])
  })

  test.each<[string, string, (path: string) => void]>([
    ['link', 'is a symbolic link: remove it, or choose another socket path', (path) => symlinkSync('real.sock', path)],
    ['not_a_socket', 'is a file, not a socket: choose another socket path', (path) => writeFileSync(path, 'precious')],
    ['not_a_socket', 'is a folder, not a socket: choose another socket path', (path) => mkdirSync(path)],
  ])('error: %s: it %s', async (fault, words, make) => {
    const { folder, path } = createFolder()
    await leaveStaleSocket(join(folder, 'real.sock'))
    make(path)
    const { ino } = lstatSync(path)
    await expect(serve(path)).rejects.toMatchObject({
      code: 'SOCKET_PATH_REFUSED',
      fault,
      shortMessage: `${path} ${words}.`,
    })
    expect(readdirSync(folder).sort()).toEqual(['real.sock', 'service.sock'])
    expect(lstatSync(path).ino).toBe(ino)
  })

  asRoot.each(['stale', 'answered'])(`error: another user's socket (%s)${reason}`, async (state) => {
    const { folder, path } = createFolder()
    await (state === 'stale' ? leaveStaleSocket(path) : listen(path))
    chmodSync(path, 0o600)
    chownSync(path, 12_345, 12_345)
    await expect(serve(path)).rejects.toMatchObject({
      fault: 'other_owner',
      shortMessage: `${path} is a socket owned by another user (uid 12345): choose another socket path.`,
    })
    expect(readdirSync(folder)).toEqual([basename(path)])
  })
})

describe('folder of the path', () => {
  test('error: a folder that others may write to, unless it has the sticky bit', async () => {
    const { folder, path } = createFolder()
    chmodSync(folder, 0o777)
    await expect(serve(path)).rejects.toMatchObject({
      fault: 'unsafe_folder',
      shortMessage: `Other users can write to ${folder} (mode 777), so they could replace the socket: run chmod go-w, or choose another folder.`,
    })
    chmodSync(folder, 0o1777)
    await serve(path)
    expect(await nameOf(path)).toBe('first')
  })

  test('error: a folder within one that others may write to', async () => {
    const { folder } = createFolder()
    mkdirSync(join(folder, 'inner'))
    chmodSync(folder, 0o770)
    await expect(serve(join(folder, 'inner', 'service.sock'))).rejects.toMatchObject({
      fault: 'unsafe_folder',
      shortMessage: expect.stringContaining(`write to ${folder} (mode 770)`),
    })
  })

  test('behavior: follows links of this user through safe folders', async () => {
    const { folder } = createFolder()
    const { folder: other } = createFolder()
    mkdirSync(join(folder, 'real'))
    symlinkSync('real', join(folder, 'near'))
    symlinkSync(join(folder, 'near'), join(other, 'far'))
    await serve(join(other, 'far', 'service.sock'))
    expect(await nameOf(join(folder, 'real', 'service.sock'))).toBe('first')
  })

  test('error: a link in a folder that others may write to', async () => {
    const { folder } = createFolder()
    const { folder: open } = createFolder()
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(open, 'link'))
    symlinkSync(join(open, 'link'), join(folder, 'link'))
    chmodSync(open, 0o777)
    await expect(serve(join(folder, 'link', 'service.sock'))).rejects.toMatchObject({ fault: 'unsafe_folder' })
  })

  asRoot(`error: a folder of another user, and another user's link${reason}`, async () => {
    const { folder, path } = createFolder()
    const { folder: foreign } = createFolder()
    chownSync(foreign, 12_345, 12_345)
    await expect(serve(join(foreign, 'service.sock'))).rejects.toMatchObject({
      fault: 'unsafe_folder',
      shortMessage: `${foreign} belongs to another user (uid 12345), who could replace the socket: choose a folder that you own.`,
    })
    symlinkSync(folder, join(folder, 'link'))
    lchownSync(join(folder, 'link'), 12_345, 12_345)
    await expect(serve(join(folder, 'link', basename(path)))).rejects.toMatchObject({ fault: 'unsafe_folder' })
  })

  test('error: a missing folder, a file instead of a folder, circular links', async () => {
    const { folder } = createFolder()
    writeFileSync(join(folder, 'file'), '')
    symlinkSync('circle', join(folder, 'circle'))
    for (const name of ['none', 'file', 'circle']) {
      await expect(serve(join(folder, name, 'service.sock'))).rejects.toMatchObject({
        fault: 'no_folder',
        shortMessage: `The socket's folder ${join(folder, name)} does not exist: create it with mode 700.`,
      })
    }
  })

  test('error: a path over 103 bytes, which some systems would truncate', async () => {
    const { folder } = createFolder()
    const longest = join(folder, 'x'.repeat(103 - folder.length - 1))
    await expect(serve(`${longest}x`)).rejects.toMatchObject({
      fault: 'too_long',
      shortMessage: `${longest}x is 1 bytes too long for a Unix socket: choose a shorter path.`,
    })
    expect(readdirSync(folder)).toEqual([])
    await serve(longest)
    expect(await nameOf(longest)).toBe('first')
  })
})
