import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { createListLog } from '@firmquote/test-support/listLog'
import { openRawConnection } from '@firmquote/test-support/rawConnection'
import { createSocketFolder } from '@firmquote/test-support/socketFolder'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { RpcMethods } from './answerMessage.ts'
import { type ServeSocketOptions, serveSocket } from './serveSocket.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(methods: RpcMethods, options: Partial<ServeSocketOptions> = {}) {
  const { path, remove } = createSocketFolder()
  closers.push(remove)
  const log = createListLog()
  const served = await serveSocket({ socketPath: path, methods, program: 'server', log, ...options })
  closers.push(served.close)
  const open = async () => {
    const connection = await openRawConnection(path)
    closers.push(() => connection.socket.destroy())
    return connection
  }
  return { path, log, served, open }
}

/** A gate for a method to wait at. */
function gate() {
  const { promise: opened, resolve: open } = createDeferred()
  return { open, opened }
}

const echo = async (params: unknown) => params
const call = (id: unknown, method = 'echo', params: unknown = []) => ({ jsonrpc: '2.0', id, method, params })
const line = (value: unknown) => `${JSON.stringify(value)}\n`
const done = (id: unknown, result: unknown = []) => ({ jsonrpc: '2.0', id, result })
const failure = (code: number, message: string) => ({ jsonrpc: '2.0', id: null, error: { code, message } })

describe('lines', () => {
  test('default: with blank lines and CRLF', async () => {
    const { open } = await serve({ echo })
    const { write, next } = await open()
    write(`\n${JSON.stringify(call(1))}\r\n\n${JSON.stringify(call('b', 'echo', ['größer €']))}\n`)
    expect(await next()).toEqual(done(1))
    expect(await next()).toEqual(done('b', ['größer €']))
  })

  test('behavior: sends answers in the order in which they are ready', async () => {
    const { open: release, opened } = gate()
    const { open } = await serve({ echo, wait: () => opened })
    const { write, ask, next } = await open()
    write(line(call('slow', 'wait')))
    expect(await ask(call('quick'))).toEqual(done('quick'))
    release()
    expect(await next()).toEqual(done('slow', null))
  })

  test('behavior: a caller that has ended its side still gets its answers', async () => {
    const { open: release, opened } = gate()
    const { open } = await serve({ wait: () => opened, echo })
    const { socket, next, rest } = await open()
    socket.end(`${line(call(1, 'wait'))}${line(call(2))}`)
    expect(await next()).toEqual(done(2))
    release()
    expect(await rest()).toEqual([done(1, null)])
  })

  test('error: a line of 10 MB gets an error and ends its connection; others continue', async () => {
    const calls: unknown[] = []
    const { open } = await serve({
      echo: async (params) => {
        calls.push(params)
        return params
      },
    })
    const other = await open()
    const { socket, ask, write, rest, closed } = await open()
    expect(await ask(call(1))).toEqual(done(1))
    write(`${JSON.stringify(call(2, 'echo', ['x'.repeat(10_000_000)]))}\n${JSON.stringify(call(3))}\n`)
    expect(await rest()).toEqual([failure(-32_600, 'The line is longer than 1 MiB. Later lines are not read.')])
    socket.end()
    await closed
    expect(calls).toEqual([[]])
    expect(await other.ask(call(4))).toEqual(done(4))
  })

  test('error: closes the connection of a caller that continues to write', async () => {
    const { open } = await serve({ echo })
    const { socket, rest, closed } = await open()
    const letters = Buffer.alloc(1024 * 1024, 'x')
    const writeOn = () => socket.write(letters, (error) => error ?? writeOn())
    writeOn()
    expect(await rest()).toEqual([expect.objectContaining({ id: null })])
    await closed
    expect(socket.bytesWritten).toBeLessThan(32 * 1024 * 1024)
  })

  test.each([JSON.stringify(call(2)), '{"jsonrpc":"2.0","id":2,"met'])(
    'error: half a line at the end (%s) is a parse error; nothing was done',
    async (half) => {
      const calls: unknown[] = []
      const { open } = await serve({ echo: async (params) => calls.push(params) })
      const { socket, rest } = await open()
      socket.end(`${line(call(1))}${half}`)
      const answers = await rest()
      expect(answers).toHaveLength(2)
      expect(answers).toContainEqual(failure(-32_700, 'The last line has no trailing newline and was not executed.'))
      expect(calls).toEqual([[]])
    },
  )

  test('error: a connection that breaks within a line or a call affects no other', async () => {
    const { open: release, opened } = gate()
    const { open } = await serve({ echo, wait: () => opened })
    const first = await open()
    first.write(line(call(1, 'wait')))
    expect(await first.ask(call(2))).toEqual(done(2))
    first.write('{"half')
    first.socket.destroy()
    const second = await open()
    release()
    expect(await second.ask(call(3))).toEqual(done(3))
  })
})

describe('a caller that does not read', () => {
  test('behavior: is not read from, and gets every answer later', async () => {
    const total = 500
    let calls = 0
    const answer = 'x'.repeat(256 * 1024)
    const { open } = await serve({
      echo,
      large: async () => {
        calls += 1
        return answer
      },
    })
    const lazy = await open()
    lazy.socket.pause()
    for (let id = 0; id < total; id++) lazy.write(line(call(id, 'large')))
    const other = await open()
    // Other callers are still served. If the lazy caller's call count does not change during 50 calls by another
    // caller, the lazy caller is blocked.
    let before = -1
    for (let still = 0; still < 50; still = calls === before ? still + 1 : 0) {
      before = calls
      await other.ask(call('other'))
    }
    expect(calls).toBeGreaterThan(0)
    expect(calls).toBeLessThan(50)
    lazy.socket.resume()
    const ids = new Set<unknown>()
    while (ids.size < total) ids.add(((await lazy.next()) as { id: unknown }).id)
    expect(calls).toBe(total)
  })

  test('behavior: processes 32 of a thousand simultaneous calls at a time', async () => {
    const { open: release, opened } = gate()
    let running = 0
    let most = 0
    const { open } = await serve({
      echo,
      wait: async () => {
        running += 1
        most = Math.max(most, running)
        await opened
        running -= 1
      },
    })
    const busy = await open()
    busy.write(Array.from({ length: 1_000 }, (_, id) => line(call(id, 'wait'))).join(''))
    const other = await open()
    for (let n = 0; n < 50 || running < 32; n++) await other.ask(call(n))
    expect(running).toBe(32)
    release()
    for (let n = 0; n < 1_000; n++) await busy.next()
    expect(most).toBe(32)
  })
})

describe('connections', () => {
  test('error: rejects an excess connection with a code until another one ends', async () => {
    const { open } = await serve({ echo }, { maxConnections: 2 })
    const first = await open()
    const second = await open()
    expect(await first.ask(call(1))).toEqual(done(1))
    expect(await second.ask(call(1))).toEqual(done(1))
    const third = await open()
    expect(await third.rest()).toEqual([
      {
        jsonrpc: '2.0',
        id: null,
        error: {
          code: -32_012,
          message: '2 connections are already open: close one first.',
          data: { code: 'TOO_MANY_CONNECTIONS' },
        },
      },
    ])
    first.socket.destroy()
    for (;;) {
      const fourth = await open()
      fourth.write(line(call(4)))
      const answer = (await fourth.next().catch(() => null)) as { id?: unknown } | null
      if (answer?.id === 4) break
    }
    expect(await second.ask(call(2))).toEqual(done(2))
  })
})

describe('the close', () => {
  test('default: pending answers arrive, then connections end; new calls find no socket', async () => {
    const { open: release, opened } = gate()
    let calls = 0
    const { open, served, path } = await serve({
      echo: async () => {
        calls += 1
      },
      wait: () => opened,
    })
    const idle = await open()
    const busy = await open()
    busy.write(line(call(1, 'wait')))
    expect(await busy.ask(call(2))).toEqual(done(2, null))
    expect(await idle.ask(call(3))).toEqual(done(3, null))
    const closed = served.close()
    expect(served.close()).toBe(closed)
    while (existsSync(path)) await turn()
    expect(await idle.rest()).toEqual([])
    busy.write(line(call(4)))
    await expect(once(connect(path), 'connect')).rejects.toMatchObject({ code: 'ENOENT' })
    release()
    expect(await busy.rest()).toEqual([done(1, null)])
    await closed
    expect(calls).toBe(2)
  })

  test('error: closes a connection with a hanging call after the timeout', async () => {
    let ring = () => {}
    const limits: number[] = []
    const clock = {
      after: (ms: number, callback: () => void) => {
        limits.push(ms)
        ring = callback
        return () => {}
      },
    }
    const { open, served, log } = await serve(
      { echo, wait: () => new Promise(() => {}) },
      { clock, closeTimeoutMs: 700 },
    )
    const stuck = await open()
    stuck.write(line(call(1, 'wait')))
    expect(await stuck.ask(call(2))).toEqual(done(2))
    const closed = served.close()
    while (limits.length === 0) await turn()
    expect(limits).toEqual([700])
    ring()
    await closed
    expect(await stuck.rest()).toEqual([])
    expect(log.entries.filter(({ level }) => level === 'error')).toEqual([
      expect.objectContaining({ facts: { connections: 1, closeTimeoutMs: 700 } }),
    ])
  })

  test('error: also closes a connection whose caller does not read', async () => {
    let ring: (() => void) | undefined
    const clock = {
      after: (_ms: number, callback: () => void) => {
        ring = callback
        return () => {}
      },
    }
    const { open, served } = await serve({ large: async () => 'x'.repeat(5_000_000), echo }, { clock })
    const lazy = await open()
    lazy.socket.pause()
    lazy.write(line(call(1, 'large')))
    const other = await open()
    for (let n = 0; n < 10; n++) await other.ask(call(n))
    const closed = served.close()
    while (ring === undefined) await turn()
    ring()
    await closed
  })
})
