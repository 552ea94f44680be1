import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { systemClock } from '@firmquote/core/utils'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { yieldToEventLoop } from '../../scheduling/eventLoop.ts'
import { asynchronousReason, limits, type ServerSettings, unsupportedSetting } from './checkSettings.ts'
import { parsePostgresAddress } from './postgresAddress.ts'
import { createPostgresPool, type PostgresPool, type PostgresPoolOptions } from './postgresPool.ts'

const given = findPostgres() ? describe : describe.skip
const log = { warn() {}, info() {} }
const passwordOf = (url: string) => decodeURIComponent(new URL(url).password)

describe('parsePostgresAddress', () => {
  test('several hosts have the same user, password and database', () => {
    expect(parsePostgresAddress('postgres://u:p%40:w@a:1,[::1]:2,c/db?sslmode=disable')).toEqual([
      { url: 'postgres://u:p%40:w@a:1/db?sslmode=disable', name: 'a:1' },
      { url: 'postgres://u:p%40:w@[::1]:2/db?sslmode=disable', name: '[::1]:2' },
      { url: 'postgres://u:p%40:w@c/db?sslmode=disable', name: 'c' },
    ])
  })

  test.each([
    '',
    'u:secret@a/db',
    'http://u:secret@a/db',
    'postgres://u:secret@/db',
    'postgres://u:secret@a:x/db',
    'postgres://u:secret@a,/db',
    'postgres://u:secret@a:5432',
  ])('error: %s, without its data', (url) => {
    const failed = caught(() => parsePostgresAddress(url))
    expect(failed).toMatchObject({ code: 'BAD_CONFIGURATION' })
    expect(inspect(failed, { depth: 9 })).not.toContain('secret')
  })
})

describe('unsupportedSetting', () => {
  const fit: ServerSettings = {
    version: 150_000,
    in_recovery: false,
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    encoding: 'UTF8',
    timeline: 3,
    standbys: 0,
    waits_for_standby: false,
  }

  test('a server with durable commits is suitable', () => {
    expect(unsupportedSetting(fit, 3)).toBeNull()
    expect(unsupportedSetting({ ...fit, synchronous_commit: 'remote_apply' }, 2)).toBeNull()
  })

  test.each<[keyof ServerSettings, ServerSettings[keyof ServerSettings], string]>([
    ['version', 149_999, 'older'],
    ['in_recovery', true, 'standby'],
    ['fsync', 'off', 'fsync'],
    ['full_page_writes', 'off', 'full_page_writes'],
    ['synchronous_commit', 'off', 'synchronous_commit'],
    ['synchronous_commit', 'local', 'synchronous_commit'],
    ['synchronous_commit', 'remote_write', 'synchronous_commit'],
    ['encoding', 'SQL_ASCII', 'UTF8'],
    ['timeline', 2, 'former primary'],
  ])('%s %s is refused', (name, value, said) => {
    expect(unsupportedSetting({ ...fit, [name]: value }, 3)).toContain(said)
  })

  test('asynchronous standbys are rejected, with one sentence about what may be lost', () => {
    expect(asynchronousReason(fit)).toBeNull()
    expect(asynchronousReason({ ...fit, standbys: 1, waits_for_standby: true })).toBeNull()
    expect(asynchronousReason({ ...fit, standbys: 1 })).toMatch(/may lose.*DATABASE_ASYNC_REPLICAS=true/)
  })
})

given('createPostgresPool', () => {
  let folder: string
  let postgres: Postgres
  const pools: PostgresPool[] = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'firmquote-pool-'))
    postgres = await startPostgres({ folder, settings: { deadlock_timeout: '50ms' } })
    await postgres.query('create table kept (n bigint primary key, b bytea)', postgres.url)
  })
  afterEach(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()))
    await postgres.query('truncate kept', postgres.url)
  })
  afterAll(async () => {
    await postgres?.stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  })
  const open = async (options: Partial<PostgresPoolOptions> = {}) => {
    const pool = await createPostgresPool({ url: postgres.url, clock: systemClock, log, ...options })
    pools.push(pool)
    return pool
  }
  const kept = async () =>
    (await postgres.query('select n from kept order by n', postgres.url)).map(({ n }) => Number(n))
  const insert = 'insert into kept values ($1, $2) returning n, b'

  test('default: a bigint is a number, bytes are bytes, and a transaction is stored whole or not at all', async () => {
    const pool = await open()
    expect(await pool.query(insert, [2 ** 52, Buffer.from('00ff', 'hex')])).toEqual([
      { n: 2 ** 52, b: Buffer.from('00ff', 'hex') },
    ])
    expect(
      await pool.transact(async (query) => {
        await query(insert, [1, null])
        return query<{ n: number }>('select count(*) as n from kept')
      }),
    ).toEqual([{ n: 2 }])
    await expect(
      pool.transact(async (query) => {
        await query(insert, [2, null])
        throw new RangeError('Not this one.')
      }),
    ).rejects.toThrow(new RangeError('Not this one.'))
    expect(await pool.batch([{ text: insert, values: [3, null] }, { text: 'select 1 as one' }])).toEqual([
      [{ n: 3, b: null }],
      [{ one: 1 }],
    ])
    expect(await kept()).toEqual([1, 3, 2 ** 52])
  })

  test('error: a rejected statement rolls back its batch with a known outcome and an error without values', async () => {
    const pool = await open()
    const secret = Buffer.from('5ec2e7', 'hex')
    const failed = await pool
      .batch([{ text: insert, values: [1, secret] }, { text: insert, values: [1, secret] }, { text: 'select 1' }])
      .catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(StorageUnavailableError)
    expect(failed).not.toBeInstanceOf(OutcomeUnknownError)
    expect(failed).toMatchObject({ cause: { code: '23505' } })
    expect(inspect(failed, { depth: 9, showHidden: true })).not.toMatch(/5ec2e7|Failing row|Key \(/)
    expect(await kept()).toEqual([])
    // The connection is still usable.
    await pool.batch([{ text: insert, values: [1, null] }])
    expect(await kept()).toEqual([1])
  })

  test('a snapshot sees no commit after its first query, and cannot write', async () => {
    const pool = await open()
    await pool.snapshot(async (query) => {
      expect(await query('select n from kept')).toEqual([])
      await pool.query(insert, [1, null])
      expect(await query('select n from kept')).toEqual([])
    })
    await expect(pool.snapshot((query) => query(insert, [2, null]))).rejects.toMatchObject({ cause: { code: '25006' } })
  })

  test('two transactions that wait for each other both succeed', async () => {
    const pool = await open()
    await pool.batch([1, 2].map((n) => ({ text: insert, values: [n, null] })))
    let [tries, holding] = [0, 0]
    let bothHold = () => {}
    const hold = new Promise<void>((resolve) => {
      bothHold = resolve
    })
    let oneIsThrough = () => {}
    const through = new Promise<void>((resolve) => {
      oneIsThrough = resolve
    })
    const cross = async (first: number, second: number) => {
      await pool.transact(async (query) => {
        tries += 1
        // Without this wait, the rolled-back transaction could conflict again before the other one continues.
        if (tries > 2) await through
        await query('update kept set b = null where n = $1', [first])
        holding += 1
        if (holding === 2) bothHold()
        await hold
        await query('update kept set b = null where n = $1', [second])
      })
      oneIsThrough()
    }
    await Promise.all([cross(1, 2), cross(2, 1)])
    expect(tries).toBe(3)
  })

  test('two connections are reserved for batches', async () => {
    const pool = await open({ size: 3 })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holding = pool.transact(async (query) => {
      await query('select 1')
      await held
    })
    const read = pool.query('select 2 as two')
    expect(await Promise.all([1, 2].map((n) => pool.batch([{ text: insert, values: [n, null] }])))).toHaveLength(2)
    release()
    await holding
    expect(await read).toEqual([{ two: 2 }])
  })

  test.each([
    ['fsync', 'fsync', 'off'],
    ['synchronous_commit', 'synchronous_commit', 'local'],
    ['full_page_writes', 'full_page_writes', 'off'],
  ])('error: %s has an unsuitable value', async (said, name, value) => {
    const database = await postgres.createDatabase()
    await postgres.query(`alter system set ${name} = ${value}`)
    await postgres.query('select pg_reload_conf()')
    try {
      await expect(open({ url: database })).rejects.toThrow(`Its ${said} is ${value}`)
    } finally {
      await postgres.query(`alter system reset ${name}`)
      await postgres.query('select pg_reload_conf()')
    }
  })

  test('a session keeps its synchronous_commit when the configuration is reloaded', async () => {
    const pool = await open()
    await postgres.query('alter system set synchronous_commit = off')
    await postgres.query('select pg_reload_conf()')
    try {
      for (;;) {
        const [now] = await postgres.query('show synchronous_commit')
        if (now?.['synchronous_commit'] === 'off') break
      }
      expect(await pool.query('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
    } finally {
      await postgres.query('alter system reset synchronous_commit')
      await postgres.query('select pg_reload_conf()')
    }
  })

  test('error: no password in errors and logs', async () => {
    const url = postgres.url.replace(/:[0-9a-f]+@/, ':not-the-password@')
    const failed = await open({ url }).catch((error: unknown) => error)
    expect(failed).toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { code: '28P01' } })
    const nobody = await open({ url: 'postgres://u:not-the-password@127.0.0.1:1/db' }).catch((error: unknown) => error)
    expect(nobody).toMatchObject({ code: 'STORAGE_UNAVAILABLE', cause: { code: 'ECONNREFUSED' } })
    const pool = await open()
    const [{ pid } = { pid: 0 }] = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
    const cut = pool.query('select pg_sleep(1)').catch((error: unknown) => error)
    await postgres.query(`select pg_terminate_backend(${pid})`)
    for (const error of [failed, nobody, await cut]) {
      const shown = inspect(error, { depth: 9, showHidden: true })
      expect(shown).not.toContain('not-the-password')
      expect(shown).not.toContain(passwordOf(postgres.url))
    }
  })

  test('answers that arrived while the process was busy are not late', async () => {
    // Timers fire before the input of the same event-loop iteration is read. With this clock, the callback that must
    // follow the read runs at least one millisecond later.
    const time = createFakeClock()
    let limited = 0
    const after = (ms: number, callback: () => void) => {
      if (ms === limits.answer) limited += 1
      return time.after(Math.max(ms, 1), callback)
    }
    const pool = await open({ clock: { ...time, after } })
    await pool.query('select 1')
    const timersOf = async (ask: () => Promise<unknown>, count: number) => {
      const before = limited
      const answer = ask()
      while (limited < before + count) await yieldToEventLoop()
      return { answer }
    }
    // There are more queries than connections, so queries wait first for a connection and then for a response.
    const numbers = Array.from({ length: 20 }, (_, n) => n)
    const ask = (n: number) => pool.query('select $1::int as n from pg_sleep(0.05)', [n])
    const { answer } = await timersOf(() => Promise.all(numbers.map(ask)), numbers.length + 1)
    time.advance(limits.answer)
    expect(await answer).toEqual(numbers.map((n) => [{ n }]))

    const late = await timersOf(() => pool.query('select pg_sleep(1)'), 2)
    time.advance(limits.answer + 1)
    await expect(late.answer).rejects.toThrow(StorageUnavailableError)
  })

  test('an instance that stalls within a transaction holds its row locks for less than 2 s', async () => {
    const pool = await open()
    await pool.query(insert, [1, null])
    let release = () => {}
    const stopped = pool.transact(async (query) => {
      await query('update kept set b = null where n = 1')
      await new Promise<void>((resolve) => {
        release = resolve
      })
      await query('select 1')
    })
    stopped.catch(() => {})
    while ((await pool.query(`select 1 from pg_stat_activity where state = 'idle in transaction'`)).length === 0);
    const start = performance.now()
    await pool.transact((query) => query('update kept set b = null where n = 1'))
    expect(performance.now() - start).toBeLessThan(2_000)
    release()
    // Nothing was stored, as the error states.
    const failed = await stopped.catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(StorageUnavailableError)
    expect(failed).not.toBeInstanceOf(OutcomeUnknownError)
  })
})

function caught(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    return error
  }
}
