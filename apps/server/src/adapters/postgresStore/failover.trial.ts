import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { promoteStandby, startStandby } from '@firmquote/cluster/startStandby'
import { type RfqId, toRfqId } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  accept,
  backWithinMs,
  expectKept,
  keptBy,
  load,
  nextAccepted,
} from '../../../test/adapters/postgresStore/outages.ts'
import { newAuction, newAuctionQuote, newClose, openedAt } from '../../../test/storedQuotes.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import { createPostgresStore, type PostgresStore } from './postgresStore.ts'

const given = findPostgres() ? describe : describe.skip
const log = { info() {}, warn() {} }
given('a primary with a standby', () => {
  let folders: string[]
  let primary: Postgres
  let id: RfqId
  const stores: PostgresStore[] = []
  const standbys: Postgres[] = []
  beforeEach(async () => {
    folders = ['primary', 'standby'].map((name) => mkdtempSync(join(tmpdir(), `firmquote-${name}-`)))
    primary = await startPostgres({ folder: folders[0] ?? '' })
    id = toRfqId(randomBytes(16).toString('hex'))
  }, 60_000)
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()))
    for (const server of [primary, ...standbys.splice(0)]) await server?.stop('immediate')
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const open = async (url = primary.url) => {
    const store = await createPostgresStore({ url, clock: systemClock, log })
    stores.push(store)
    return store
  }
  const bothHosts = ({ port }: Postgres) =>
    primary.url.replace(`:${primary.port}/`, `:${port},127.0.0.1:${primary.port}/`)
  /** Ends all waits for the standby by calling the given PostgreSQL function. */
  const endWaits = async (how: 'pg_cancel_backend' | 'pg_terminate_backend') => {
    const end = `select ${how}(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    while ((await primary.query(end, primary.url)).length === 0) await sleep(5)
  }

  test('a commit that stops waiting for its standby is unknown, and so is its repetition until the standby is back', async () => {
    const standby = await startStandby(primary, folders[1] ?? '')
    standbys.push(standby)
    const store = await open()
    const other = toRfqId(randomBytes(16).toString('hex'))
    for (const auction of [id, other]) await store.openAuction(newAuction(auction))
    await standby.stop('immediate')
    const quote = newAuctionQuote(1, id)
    const writes = {
      accept: () => store.acceptQuote(quote, openedAt).then(({ status }) => status, whyUnknown),
      // A repeated close changes no row, but it must still wait for the standby.
      close: () => store.closeAuction(newClose(other)).then(() => 'accepted', whyUnknown),
    }
    const warned = expect.stringContaining('The commit ended with the warning 01000.')
    for (const write of [writes.accept, writes.close]) {
      const waiting = write()
      await endWaits('pg_cancel_backend')
      expect(await waiting).toEqual(warned)
    }
    // The rows exist only on the primary.
    expect((await keptBy(store, id)).has(quote.hash)).toBe(true)
    expect(await store.findAuction({ rfqId: other })).toMatchObject({ close: { rejectedCount: 2 } })
    // PostgreSQL has no timeout for a commit, so the client gives up waiting for the response.
    const silent = expect.stringContaining('The outcome of the write is unknown.')
    expect(await Promise.all([writes.accept(), writes.close()])).toEqual([silent, silent])
    await standby.start()
    for (const write of [writes.accept, writes.close]) while ((await write()) !== 'accepted') await sleep(50)
  }, 60_000)

  test('a commit whose connection ends during the wait is unknown, and a failover loses it until it is sent again', async () => {
    const standby = await startStandby(primary, folders[1] ?? '')
    standbys.push(standby)
    const store = await open(bothHosts(standby))
    await store.openAuction(newAuction(id))
    await standby.stop('immediate')
    const quote = newAuctionQuote(1, id)
    const waiting = accept(store, quote)
    await endWaits('pg_terminate_backend')
    expect(await waiting).toBe('unknown')
    await primary.stop('immediate')
    await standby.start()
    await promoteStandby(standby)
    await backOn(store)
    expect(await keptBy(store, id)).toEqual(new Set())
    expect(await accept(store, quote)).toBe('accepted')
    expect(await keptBy(store, id)).toEqual(new Set([quote.hash]))
  }, 60_000)

  test('a commit that is waiting when the standby is removed from synchronous_standby_names is acknowledged', async () => {
    const standby = await startStandby(primary, folders[1] ?? '')
    standbys.push(standby)
    const store = await open()
    await store.openAuction(newAuction(id))
    await standby.stop('immediate')
    const quote = newAuctionQuote(1, id)
    const waiting = accept(store, quote)
    while ((await primary.query(`select from pg_stat_activity where wait_event = 'SyncRep'`)).length === 0);
    await primary.query('alter system reset synchronous_standby_names')
    await primary.query('select pg_reload_conf()')
    // The operator decides which servers must confirm a commit, so PostgreSQL ends the wait without a warning.
    expect(await waiting).toBe('accepted')
  }, 60_000)

  test('a failover to the standby', async () => {
    const standby = await startStandby(primary, folders[1] ?? '')
    standbys.push(standby)
    const store = await open(bothHosts(standby))
    await store.openAuction(newAuction(id))
    const running = load(store, id)
    await nextAccepted(running)
    await primary.stop('immediate')
    await promoteStandby(standby)
    expect(await nextAccepted(running)).toBeLessThan(backWithinMs)
    const told = await running.end()
    await expectKept(store, id, told)
    // The old primary restarts as a standalone server, which receives no writes.
    await primary.start()
    await standby.stop('immediate')
    await sleep(300)
    expect(await accept(store, newAuctionQuote(100_000, id))).toBe('refused')
  }, 60_000)
})

/** Returns why a write's outcome is unknown. */
function whyUnknown(error: unknown): string {
  expect(error).toBeInstanceOf(StorageUnavailableError)
  return error instanceof OutcomeUnknownError ? error.message : 'refused'
}

/** Resolves once a store has found a writable server. */
async function backOn(store: PostgresStore): Promise<void> {
  for (;;) {
    const isBack = await store.ping().then(
      () => true,
      () => false,
    )
    if (isBack) return
    await sleep(20)
  }
}
