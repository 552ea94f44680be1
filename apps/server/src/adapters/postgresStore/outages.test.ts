import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { type RfqId, toRfqId } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import {
  accept,
  backWithinMs,
  expectKept,
  keptBy,
  knownWithinMs,
  load,
  nextAccepted,
} from '../../../test/adapters/postgresStore/outages.ts'
import { newAuction, newAuctionQuote, newQuote, now } from '../../../test/storedQuotes.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Statement } from './postgresConnection.ts'
import { createPostgresStore, type PostgresStore } from './postgresStore.ts'

const given = findPostgres() ? describe : describe.skip
const log = { info() {}, warn() {} }
given('outages of PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-outages-'))
  let primary: Postgres
  let id: RfqId
  const stores: PostgresStore[] = []
  beforeAll(async () => {
    primary = await startPostgres({ folder })
  }, 60_000)
  beforeEach(() => {
    id = toRfqId(randomBytes(16).toString('hex'))
  })
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
  })
  afterAll(async () => {
    await primary?.stop('immediate')
    rmSync(folder, { recursive: true, force: true })
  })

  const open = async (url = primary.url, beforeStatement?: (statement: Statement) => Promise<Statement>) => {
    const store = await createPostgresStore({
      url,
      clock: systemClock,
      log,
      ...(beforeStatement && { beforeStatement }),
    })
    stores.push(store)
    return store
  }
  test('killed during writes, and restarted', async () => {
    const store = await open()
    await store.openAuction(newAuction(id))
    const running = load(store, id)
    await nextAccepted(running)
    await primary.process().kill('SIGKILL')
    await sleep(300)
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
    await primary.start()
    expect(await nextAccepted(running)).toBeLessThan(backWithinMs)
    const told = await running.end()
    expect(new Set(told.values())).toContain('refused')
    await expectKept(store, id, told)
  }, 60_000)

  test('paused for a while, and resumed', async () => {
    const store = await open()
    await store.openAuction(newAuction(id))
    const running = load(store, id)
    await nextAccepted(running)
    const pids = processesOf(primary.process().pid)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    const start = performance.now()
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
    expect(performance.now() - start).toBeLessThan(knownWithinMs)
    await sleep(2_500)
    for (const pid of pids) process.kill(pid, 'SIGCONT')
    expect(await nextAccepted(running)).toBeLessThan(backWithinMs)
    expect(running.slowest()).toBeLessThan(knownWithinMs)
    await expectKept(store, id, await running.end())
  }, 60_000)

  test('a connection that ends before any statement of an accept', async () => {
    const outcomes: string[] = []
    for (let statement = 0; statement < 4; statement++) {
      let asked = -1
      const store = await open(primary.url, async (given) => {
        if (asked >= 0 && asked++ === statement) {
          const others = `datname = 'firmquote' and pid <> pg_backend_pid()`
          await primary.query(
            `select pg_terminate_backend(pid, 1000) from pg_stat_activity where ${others}`,
            primary.url,
          )
        }
        return given
      })
      await store.openAuction(newAuction(id))
      const quote = newAuctionQuote(statement, id)
      asked = 0
      outcomes.push(await accept(store, quote))
      asked = -1
      expect((await keptBy(store, id)).has(quote.hash)).toBe(false)
      expect(await accept(store, quote)).toBe('accepted')
    }
    // Statements sent together with the commit are lost with it.
    expect(outcomes).toEqual(['refused', 'refused', 'refused', 'unknown'])
  }, 60_000)

  test('a bad quote does not fail the others in its group', async () => {
    const store = await open()
    await store.openAuction(newAuction(id))
    const quotes = [1, 2, 3].map((n) => newAuctionQuote(n, id, n === 2 ? { maker: '0x12' } : {}))
    expect(await Promise.all(quotes.map((quote) => accept(store, quote)))).toEqual(['accepted', 'refused', 'accepted'])
    expect(await keptBy(store, id)).toEqual(new Set([quotes[0]?.hash, quotes[2]?.hash]))
  })

  test('the same quote twice in one group does not exceed the limit', async () => {
    // Uses a separate database, because other tests have stored quotes with these numbers.
    const store = await open(await primary.createDatabase())
    const publish = (most: number) =>
      Promise.all(
        [1, 1].map((n) =>
          store.insertQuote(newQuote(n), { most, now }).then(({ created, record }) => [created, record !== null]),
        ),
      )
    expect(await publish(0)).toEqual([
      [false, false],
      [false, false],
    ])
    expect(await publish(1)).toEqual([
      [true, true],
      [false, true],
    ])
  })
})

/** A process and its descendants. */
function processesOf(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid
    } catch {
      return false
    }
  })
  return [pid, ...children.map(Number)]
}
