// The store on a real PostgreSQL: its contract, several instances, and query plans. Long because all tests share one server.

import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type SharedPostgres, sharePostgres } from '@firmquote/cluster/sharePostgres'
import { toRfqId } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { openSqlite } from '@firmquote/node-runtime/openSqlite'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { describeStoreContract } from '../../../test/adapters/storeContract.ts'
import { updateOf } from '../../../test/storedBlocks.ts'
import {
  closesAt,
  hashOf,
  maker,
  makerOf,
  newAuction,
  newAuctionQuote,
  newClose,
  newQuote,
  now,
  openedAt,
  rfqId,
  runAuction,
} from '../../../test/storedQuotes.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { migrations } from '../sqliteStore/migrations.ts'
import { selectOwn } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import { sumByMaker } from '../sqlStore/auctions/commitmentRows.ts'
import { selectAuctionsOfMaker, selectOfMaker } from '../sqlStore/auctions/makerRows.ts'
import { selectOffers } from '../sqlStore/quotes/offerRows.ts'
import { narrowings, scans, selectWalkEnd, selectWalked } from '../sqlStore/quotes/quotePageQueries.ts'
import { countOfMaker, selectQuotes } from '../sqlStore/quotes/quoteRows.ts'
import type { PreparedQuery } from '../sqlStore/sql/preparedQuery.ts'
import type { Tables } from '../sqlStore/sql/schema.ts'
import { acceptQuotes, publishQuotes } from './groupStatements.ts'
import { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgresStore.ts'

const log = { info() {}, warn() {} }
const given = findPostgres() ? describe : describe.skip

given('createPostgresStore', () => {
  let postgres: SharedPostgres
  let url: string
  beforeAll(async () => {
    postgres = await sharePostgres()
    url = await postgres.createDatabase()
  }, 60_000)

  const open = (options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> =>
    createPostgresStore({ url, clock: systemClock, log, ...options })

  // The tests share one store, because opening a new database for each would take a minute.
  let kept: PostgresStore | null = null
  const create = async () => {
    kept ??= await open({ pruneEvery: 1 })
    return kept
  }
  const release = async (store: Store) => {
    await store.ping().catch(() => {
      kept = null
    })
    await emptyTables(postgres, url)
  }
  afterAll(() => kept?.close())
  describeStoreContract('PostgreSQL', create, {
    histories: { count: 60, ordered: true },
    release,
    forgets: true,
    isShared: true,
  })

  describe('size', () => {
    test('default: the data with its indexes, and the log', async () => {
      const store = await open()
      expect(await store.size()).toEqual({ data: expect.any(Number), log: expect.any(Number), free: null })
      const { data, log: ofLog } = await store.size()
      expect([(data ?? 0) > 1e6, (ofLog ?? 0) >= 16 * 2 ** 20]).toEqual([true, true])
      await store.close()
    })

    test('behavior: a user sees the size of the log only with pg_monitor', async () => {
      const owner = await postgres.createDatabase()
      const address = new URL(owner)
      const name = address.pathname.slice(1)
      const user = `${name}_user`
      await postgres.query(`create role "${user}" login password 'plain'`)
      await postgres.query(`alter database "${name}" owner to "${user}"`)
      Object.assign(address, { username: user, password: 'plain' })
      const store = await open({ url: address.href })
      expect(await store.size()).toMatchObject({ data: expect.any(Number), log: null })
      await postgres.query(`grant pg_monitor to "${user}"`)
      expect(await store.size()).toMatchObject({ log: expect.any(Number) })
      await store.close()
    })
  })

  describe('several instances', () => {
    const opened: { store: PostgresStore; goOn(): void }[] = []
    /** Opens an instance that can be paused before each statement that matches a pattern. */
    const openPaced = async (options: Partial<PostgresStoreOptions> = {}) => {
      let stopAt: RegExp | null = null
      let stopped = () => {}
      let goOn = () => {}
      const store = await open({
        async beforeStatement(statement) {
          if (!stopAt?.test(statement.text)) return statement
          stopAt = null
          await new Promise<void>((resolve) => {
            goOn = resolve
            stopped()
          })
          return statement
        },
        ...options,
      })
      opened.push({ store, goOn: () => goOn() })
      return {
        store,
        stopBefore(text: RegExp): Promise<void> {
          stopAt = text
          return new Promise((resolve) => {
            stopped = resolve
          })
        },
        goOn: () => goOn(),
      }
    }
    afterEach(async () => {
      // Resume instances that a failed test may have left paused.
      for (const { goOn } of opened) goOn()
      await Promise.all(opened.splice(0).map(({ store }) => store.close()))
      await emptyTables(postgres, url)
    })

    /** Resolves once one transaction is waiting for another. */
    const someoneWaits = async (): Promise<void> => {
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      for (let looks = 0; (await postgres.query(waiting, url)).length === 0; looks += 1) {
        expect(looks).toBeLessThan(100)
      }
    }
    const cancelled = (n: number) => ({ type: 'quoteEnded', hash: hashOf(n), status: 'cancelled' }) as const

    test.each([
      ['published', async (store: Store) => void (await store.insertQuote(newQuote(1)))],
      [
        'accepted',
        async (store: Store) => {
          await store.acceptQuote(newAuctionQuote(1, rfqId, { maker }), openedAt)
        },
      ],
    ])('behavior: an end applied while its quote is being %s ends the quote', async (_, add) => {
      const [slow, other] = [await openPaced(), await openPaced()]
      await other.store.openAuction(newAuction())
      const isThere = slow.stopBefore(/commit$/)
      const adding = add(slow.store)
      await isThere
      const applying = other.store.applyBlocks(updateOf(1, null, [cancelled(1)]))
      await someoneWaits()
      slow.goOn()
      await Promise.all([adding, applying])
      expect(await other.store.findQuote(hashOf(1))).toMatchObject({ status: 'cancelled' })
      expect((await other.store.listStatuses(maker, { after: 0, limit: 9 })).statuses).toMatchObject([
        { hash: hashOf(1), status: 'cancelled' },
      ])
    })

    test('behavior: a quote that waits for its end to be applied is stored as ended', async () => {
      const [slow, other] = [await openPaced(), await openPaced()]
      await slow.store.insertQuote(newQuote(2))
      const isThere = slow.stopBefore(/commit$/)
      const applying = slow.store.applyBlocks(updateOf(1, null, [cancelled(1), cancelled(2)]))
      await isThere
      const adding = other.store.insertQuote(newQuote(1))
      await someoneWaits()
      slow.goOn()
      await applying
      expect(await adding).toMatchObject({ record: { status: 'cancelled' } })
    })

    test('behavior: status updates are numbered in commit order', async () => {
      const [slow, other] = [await openPaced(), await openPaced()]
      await other.store.insertQuote(newQuote(2))
      await other.store.applyBlocks(updateOf(1, null, [cancelled(1)]))
      const { last } = await other.store.listPendingUpdates(null)
      // An instance that stores a quote after the event that ended it also writes the quote's status update.
      const isTold = slow.stopBefore(/^insert into "quote_statuses"/)
      const adding = slow.store.insertQuote(newQuote(1, { maker: makerOf(1) }))
      await isTold
      const applying = other.store.applyBlocks(updateOf(2, 1, [cancelled(2)]))
      await someoneWaits()
      expect((await other.store.listPendingUpdates(last)).told).toEqual([])
      slow.goOn()
      await Promise.all([adding, applying])
      const { told } = await other.store.listPendingUpdates(last)
      expect(told.map((one) => one.maker)).toEqual([makerOf(1), maker])
    })

    test('behavior: when two instances apply the same block, only one succeeds', async () => {
      const [slow, other] = [await openPaced(), await openPaced()]
      const isThere = slow.stopBefore(/commit$/)
      const first = slow.store.applyBlocks(updateOf(1, null, [cancelled(1)]))
      await isThere
      const [same, another] = [
        other.store.applyBlocks(updateOf(1, null, [cancelled(1)])),
        other.store.applyBlocks(updateOf(2, null, [cancelled(2)])),
      ]
      await someoneWaits()
      slow.goOn()
      await Promise.all([first, same])
      await expect(another).rejects.toThrow(/do not follow the cursor/)
      expect(await other.store.findSyncPosition()).toMatchObject({ cursor: { number: 1n }, blocks: [{ number: 1n }] })
    })

    test("behavior: the caller's time decides when an auction is over, not the database's clock", async () => {
      const { store } = await openPaced()
      const second = toRfqId('cd'.repeat(16))
      const far = { openedAt: Date.now(), closesAt: Date.now() + 600_000 }
      await store.openAuction(newAuction(rfqId, far))
      await store.openAuction(newAuction(second))
      expect(await store.acceptQuote(newAuctionQuote(1), far.closesAt)).toMatchObject({ status: 'closed' })
      expect(await store.acceptQuote(newAuctionQuote(1), far.closesAt - 1)).toMatchObject({ status: 'accepted' })
      expect(await store.acceptQuote(newAuctionQuote(2, second), openedAt)).toMatchObject({ status: 'accepted' })
      expect(await store.closeAuction(newClose(rfqId, { at: far.closesAt - 1 }))).toBeNull()
      const closed = await store.closeAuction(newClose(rfqId, { at: far.closesAt }))
      expect(closed?.auction.close?.closedAt).toBe(far.closesAt)
    })

    test('behavior: the epoch of the lease grows with each new holder, and only then', async () => {
      const [{ store: one }, { store: two }] = [await openPaced(), await openPaced()]
      const epoch = async () => (await postgres.query('select epoch from leases', url))[0]?.['epoch']
      const seen: unknown[] = []
      for (const [store, holder, milliseconds] of [
        [one, 'one', 60_000],
        [one, 'one', 0],
        [two, 'two', 0],
        [one, 'one', 60_000],
      ] as const) {
        expect(await store.holdLease(holder, milliseconds, openedAt)).toBe(true)
        seen.push(await epoch())
      }
      expect(await two.holdLease('two', 60_000, openedAt)).toBe(false)
      expect(seen).toEqual(['1', '1', '2', '3'])
      expect(await epoch()).toBe('3')
    })

    test('behavior: a change of the controls that is cut off leaves neither the change nor its audit entry', async () => {
      let isCut = false
      const { store } = await openPaced({
        async beforeStatement(statement) {
          if (isCut || !/^insert into "audit"/.test(statement.text)) return statement
          isCut = true
          return { text: 'select pg_terminate_backend(pg_backend_pid())' }
        },
      })
      const put = [{ kind: 'ban', subject: 'a', body: '{}' }]
      const entry = { request: '1', at: 1, who: 'ops', command: 'makers ban', subject: 'a', why: 'test', detail: '{}' }
      await expect(store.changeControls({ after: 0, put, entry })).rejects.toThrow(StorageUnavailableError)
      expect(isCut).toBe(true)
      expect(await store.readControls(null)).toEqual({ version: 0, controls: [] })
      expect(await store.listAudit({ limit: 9, before: null })).toEqual([])
      const version = await store.changeControls({ after: 0, put, entry })
      expect(await store.readControls(null)).toEqual({ version, controls: put })
    })

    test('behavior: all instances share a hint key, and another database has a different one', async () => {
      const [{ store: one }, { store: two }] = [await openPaced(), await openPaced()]
      const [key, same] = await Promise.all([one.hintKey(), two.hintKey()])
      expect(key).toHaveLength(32)
      expect(same).toEqual(key)
      const { store: other } = await openPaced({ url: await postgres.createDatabase() })
      expect(await other.hintKey()).not.toEqual(key)
    })

    test('behavior: pruning runs concurrently with writes, unless another instance prunes', async () => {
      const { store } = await openPaced({ pruneEvery: 1, retention: { milliseconds: 1_000, auctionQuotes: 1_000 } })
      const quotes = [newAuctionQuote(1), newAuctionQuote(2)]
      await runAuction(store, newAuction(), quotes)
      const later = toRfqId('cd'.repeat(16))
      const terms = { openedAt: closesAt + 60_000, closesAt: closesAt + 75_000 }
      await store.pool.transact(async (query) => {
        await query('select id from sync_lock for update')
        await store.openAuction(newAuction(later, terms))
        await store.acceptQuote(newAuctionQuote(3, later), terms.openedAt)
      })
      expect(await store.findAuction({ rfqId })).not.toBeNull()
      for (let n = 4; (await store.findAuction({ rfqId })) !== null; n += 1) {
        expect(n).toBeLessThan(1_000)
        await store.acceptQuote(newAuctionQuote(n, later), terms.openedAt)
      }
      for (const { hash } of quotes) expect(await store.findQuote(hash)).toBeNull()
      // Open auctions are kept.
      expect(await store.findAuction({ rfqId: later })).toMatchObject({ close: null })
    })
  })

  test('behavior: the audit is append-only', async () => {
    const store = await create()
    const entry = { request: '1', at: 1, who: 'ops', command: 'makers ban', subject: 'a', why: 'test', detail: '{}' }
    await store.changeControls({ after: 0, entry })
    for (const change of ["update audit set who = 'me'", 'delete from audit', 'truncate audit']) {
      await expect(postgres.query(change, url)).rejects.toThrow('the audit is append-only')
    }
    expect(await postgres.query('select who from audit', url)).toEqual([{ who: 'ops' }])
  })

  test('behavior: has the same tables and columns as SQLite', async () => {
    await create()
    const sqlite = await openSqlite<Tables>(':memory:', { setting: 'DATA_DIR', timeoutMs: 1, pragmas: [], migrations })
    const columns = sqlite.database
      .prepare(
        `select tables.name || '.' || columns.name as name from sqlite_master as tables, pragma_table_info(tables.name) as columns
         where tables.type = 'table' and tables.name not like 'sqlite%' and tables.name not like 'kysely%'`,
      )
      .pluck()
      .all()
    sqlite.database.close()
    expect(columns.length).toBeGreaterThan(90)
    const found = await postgres.query(
      `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
      url,
    )
    // Auctions are provable only on SQLite.
    const onlySqlite = /^(?:(?:logs|log_entries|log_tiles|auction_proofs)\.|auction_quotes\.(?:block_|leaf$))/
    const shared = columns.filter((name) => !onlySqlite.test(String(name)))
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(shared))
  })

  test('behavior: the number of statements for a page does not depend on its size', async () => {
    let asked = 0
    const store = await open({
      beforeStatement: async (statement) => {
        asked += 1
        return statement
      },
    })
    const countOf = async (ask: (limit: number) => Promise<unknown[]>, limit: number) => {
      const before = asked
      expect(await ask(limit)).toHaveLength(limit)
      return asked - before
    }
    try {
      for (const n of [1, 2, 3, 4, 5, 6]) {
        await store.insertQuote(newQuote(n, { seriesKey: hashOf(900 + n) }))
        const id = toRfqId(`${n}`.repeat(32))
        await runAuction(store, newAuction(id), [newAuctionQuote(n, id, { maker }, { hash: hashOf(100 + n) })])
      }
      const pages: ((limit: number) => Promise<unknown[]>)[] = [
        async (limit) => (await store.listMakerQuotes(maker, { limit }, now)).quotes,
        async (limit) => (await store.listMakerAuctions(maker, { limit })).auctions,
        async (limit) => (await store.listQuotes({ limit }, now)).quotes,
      ]
      // The database has six quotes in total. If a page is not full, the store checks whether more quotes follow.
      for (const page of pages) expect(await countOf(page, 5)).toBe(await countOf(page, 2))
    } finally {
      await store.close()
      await emptyTables(postgres, url)
    }
  })

  test('behavior: lists use their indexes', async () => {
    // Uses a separate database, because without rows and statistics, the plans are always the same.
    const store = await open({ url: await postgres.createDatabase() })
    const plan = async (sql: string) => {
      const rows = await store.pool.transact(async (ask) => {
        const count = new Set(sql.match(/\$\d+/g)).size
        // With so few rows, the planner would otherwise scan the table, or combine two indexes and sort.
        await ask('set local enable_seqscan = off')
        await ask('set local enable_bitmapscan = off')
        await ask(`set local firmquote.locked = '{}'`)
        await ask(`prepare planned as ${sql}`)
        const lines = await ask<object>(`explain execute planned(${Array(count).fill('null').join(', ')})`)
        await ask('deallocate planned')
        return lines
      })
      return rows.map((row) => Object.values(row)[0]).join('\n')
    }
    const planOf = (query: PreparedQuery<never, unknown>) => plan(query.postgres.sql)
    expect(await planOf(selectOffers)).toMatch(/Index Scan using quotes_offers_by_price/)
    expect(await planOf(selectOffers)).not.toMatch(/Sort/)
    expect(await planOf(selectOfMaker)).toMatch(/Index Scan Backward using quotes_by_maker/)
    expect(await planOf(selectOfMaker)).not.toMatch(/Sort/)
    expect(await planOf(selectAuctionsOfMaker)).toMatch(/using auction_quotes_maker_auction_id_key/)
    expect(await planOf(selectAuctionsOfMaker)).not.toMatch(/Sort/)
    expect(await planOf(selectOwn)).toMatch(/Index Scan using auction_quotes_maker_auction_id_key/)
    expect(await planOf(selectQuotes)).toMatch(/Index Scan using quotes_pkey on quotes/)
    for (const counted of [await planOf(countOfMaker), await planOf(sumByMaker), await plan(publishQuotes)]) {
      expect(counted).toMatch(/Index (Only )?Scan using quotes_of_maker on quotes/)
      expect(counted).not.toMatch(/ on quotes_by_/)
    }
    for (const [walk, scan] of [
      [scans.created, /Index Scan Backward using quotes_by_created on quotes/],
      [scans.deadline, /Index Scan using quotes_by_deadline on quotes/],
      [{ page: selectWalked, stop: selectWalkEnd }, /Index (Only )?Scan using quotes_by_series_price on quotes/],
    ] as const) {
      for (const walked of [await planOf(walk.page), await planOf(walk.stop)]) {
        expect(walked).toMatch(scan)
        expect(walked).not.toMatch(/Sort/)
      }
    }
    for (const [by, index] of [
      ['maker', 'quotes_of_maker'],
      ['taker', 'quotes_of_taker'],
      ['pool', 'quotes_of_pool'],
      ['series', 'quotes_by_series_price'],
    ] as const) {
      const { count, pages, rates } = narrowings[by]
      const counted = await planOf(count)
      expect(counted).toContain(`Scan using ${index} on quotes`)
      expect(counted).not.toMatch(/Sort/)
      for (const page of [...Object.values(pages), rates])
        expect(await planOf(page)).toContain(`Scan using ${index} on quotes`)
    }
    expect(await plan(acceptQuotes)).toMatch(/Index Scan using auction_quotes_maker_auction_id_key on auction_quotes/)
    await store.close()
  })
})

/** Deletes all rows except the migration history. */
async function emptyTables(postgres: SharedPostgres, url: string): Promise<void> {
  const tables = await postgres.query(
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename not like 'kysely%' and tablename <> 'sync_lock'`,
    url,
  )
  expect(tables.length).toBeGreaterThanOrEqual(16)
  // For a few rows, deleting is faster than truncating.
  await postgres.query(
    `set session_replication_role = replica; ${tables.map(({ name }) => `delete from "${String(name)}"`).join(';')}`,
    url,
  )
}
