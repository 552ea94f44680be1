import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { type RfqId, systemClock, toRfqId } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { OutcomeUnknownError } from '../../ports/errors.ts'
import { newAuction, newAuctionQuote, newClose } from '../../testing/storedQuotes.ts'
import { accept, backWithinMs, expectKept, keptBy, load, nextAccepted } from './outages.testing.ts'
import { createPostgresStore, type PostgresStore } from './postgresStore.ts'
import { startStandby } from './startStandby.testing.ts'

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
    const store = await createPostgresStore({ url, clock: systemClock, log, goesBy: 'caller' })
    stores.push(store)
    return store
  }
  test('a commit that no longer waits for its standby is unknown, and so is the same again until it is there', async () => {
    const standby = await startStandby(primary, folders[1] ?? '')
    standbys.push(standby)
    const store = await open()
    const other = toRfqId(randomBytes(16).toString('hex'))
    for (const auction of [id, other]) await store.openAuction(newAuction(auction))
    await standby.stop('immediate')
    const quote = newAuctionQuote(1, id)
    const writes = {
      accept: () => accept(store, quote),
      // The same again changes no row, and must wait all the same.
      close: () =>
        store.closeAuction(newClose(other)).then(
          () => 'accepted',
          (error: unknown) => (error instanceof OutcomeUnknownError ? 'unknown' : 'refused'),
        ),
    }
    const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    for (const write of [writes.accept, writes.close]) {
      const waiting = write()
      while ((await primary.query(cancel, primary.url)).length === 0);
      expect(await waiting).toBe('unknown')
    }
    // The rows are there, but not on the standby.
    expect((await keptBy(store, id)).has(quote.hash)).toBe(true)
    expect(await store.findAuction({ rfqId: other })).toMatchObject({ close: { rejectedCount: 2 } })
    expect(await Promise.all([writes.accept(), writes.close()])).toEqual(['unknown', 'unknown'])
    await standby.start()
    for (const write of [writes.accept, writes.close]) while ((await write()) !== 'accepted') await sleep(50)
  }, 60_000)

  test('failed over to its standby', async () => {
    const standby = await startStandby(primary, folders[1] ?? '')
    standbys.push(standby)
    const store = await open(primary.url.replace(`:${primary.port}/`, `:${standby.port},127.0.0.1:${primary.port}/`))
    await store.openAuction(newAuction(id))
    const running = load(store, id)
    await nextAccepted(running)
    await primary.stop('immediate')
    await standby.query('select pg_promote()')
    expect(await nextAccepted(running)).toBeLessThan(backWithinMs)
    const told = await running.end()
    await expectKept(store, id, told)
    // The old primary comes back on its own: nothing is written to it.
    await primary.start()
    await standby.stop('immediate')
    await sleep(300)
    expect(await accept(store, newAuctionQuote(100_000, id))).toBe('refused')
  }, 60_000)
})
