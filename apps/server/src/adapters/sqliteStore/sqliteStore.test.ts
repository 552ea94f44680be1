// Long because all tests share one setup for SQLite stores.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toRfqId } from '@firmquote/core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { describeStoreContract } from '../../../test/adapters/storeContract.ts'
import { applyBlock, rollBackTo, seriesCreated } from '../../../test/storedBlocks.ts'
import {
  closedRecord,
  hashOf,
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
import { ConfigurationError, StorageUnavailableError } from '../../ports/errors.ts'
import { keyLifetimeMs, type Store } from '../../ports/store.ts'
import { selectOffers } from '../sqlStore/quotes/offerRows.ts'
import { narrowings, scans, selectWalkEnd, selectWalked } from '../sqlStore/quotes/quotePageQueries.ts'
import { blobOf } from '../sqlStore/sql/blobs.ts'
import type { PreparedQuery } from '../sqlStore/sql/preparedQuery.ts'
import { createSqliteStore } from './sqliteStore.ts'

const directories: string[] = []
const freshFile = () => {
  const directory = mkdtempSync(join(tmpdir(), 'firmquote-store-'))
  directories.push(directory)
  return join(directory, 'data', 'firmquote.db')
}
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

// `sqliteStore.trial.ts` runs more histories.
describeStoreContract('SQLite in memory', () => createSqliteStore({ file: ':memory:' }), {
  histories: { count: 200, ordered: true },
})
describeReusedStore()

describe('createSqliteStore', () => {
  test('behavior: acknowledged data is present after reopening', async () => {
    const file = freshFile()
    const first = await createSqliteStore({ file })
    const quotes = [newAuctionQuote(1), newAuctionQuote(2)]
    await first.openAuction(newAuction())
    await Promise.all([...quotes.map((quote) => first.acceptQuote(quote, openedAt)), first.insertQuote(newQuote(3))])
    await first.closeAuction(newClose())
    await first.close()
    const second = await createSqliteStore({ file, writesHere: true })
    expect(await second.findAuction({ rfqId })).toEqual(closedRecord(newAuction(), quotes))
    expect(await second.findQuote(newQuote(3).hash)).toMatchObject({ listed: true })
    await second.close()
  })

  test('behavior: acknowledged data is on disk before the store closes', async () => {
    const file = freshFile()
    const store = await createSqliteStore({ file })
    await store.insertQuote(newQuote(1))
    const reader = new SqliteDatabase(file, { readonly: true })
    expect(reader.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(reader.prepare('select count(*) as count from quotes').get()).toEqual({ count: 1 })
    reader.close()
    await store.close()
  })

  test('behavior: acknowledged data survives a crash of the process', async () => {
    const file = freshFile()
    const modules = [
      new URL('./sqliteStore.ts', import.meta.url),
      new URL('../../../test/storedQuotes.ts', import.meta.url),
    ]
    const script = `
      import { createSqliteStore } from ${JSON.stringify(String(modules[0]))}
      import { newAuction, newAuctionQuote, openedAt } from ${JSON.stringify(String(modules[1]))}
      const store = await createSqliteStore({ file: ${JSON.stringify(file)} })
      await store.openAuction(newAuction())
      for (let n = 1; ; n += 3) {
        await Promise.all([n, n + 1, n + 2].map((m) => store.acceptQuote(newAuctionQuote(m), openedAt)))
        process.stdout.write(n + 2 + '\\n')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let acknowledged = 0
    child.stdout.on('data', (chunk) => {
      acknowledged = Number(String(chunk).trim().split('\n').at(-1))
      if (acknowledged >= 60) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const store = await createSqliteStore({ file, writesHere: true })
    expect(acknowledged).toBeGreaterThanOrEqual(60)
    const numbers = (await store.findAuction({ rfqId }))?.quotes.map(({ hash }) => Number(hash)) ?? []
    expect(numbers.slice(0, acknowledged).sort((a, b) => a - b)).toEqual(
      Array.from({ length: acknowledged }, (_, index) => index + 1),
    )
    expect((await store.listOpenAuctions()).map(({ publicRfqId }) => publicRfqId)).toEqual([newAuction().publicRfqId])
    await store.close()
  })

  test('behavior: a crash of the process leaves both a change of the controls and its audit entry, or neither', async () => {
    const file = freshFile()
    const module = new URL('./sqliteStore.ts', import.meta.url)
    const script = `
      import { createSqliteStore } from ${JSON.stringify(String(module))}
      const store = await createSqliteStore({ file: ${JSON.stringify(file)} })
      for (let after = 0; ; ) {
        const put = [{ kind: 'ban', subject: String(after), body: '{}' }]
        const entry = { at: 1, who: 'ops', command: 'makers ban', subject: String(after), why: null, detail: '{}' }
        after = await store.changeControls({ after, put, entry: { ...entry, request: String(after) } })
        process.stdout.write(after + '\\n')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let acknowledged = 0
    child.stdout.on('data', (chunk) => {
      acknowledged = Number(String(chunk).trim().split('\n').at(-1))
      if (acknowledged >= 60) child.kill('SIGKILL')
    })
    await once(child, 'close')
    const store = await createSqliteStore({ file, writesHere: true })
    const audited = (await store.listAudit({ limit: 10_000, before: null })).map(({ subject }) => subject)
    const { version, controls } = (await store.readControls(null)) ?? {}
    expect(acknowledged).toBeGreaterThanOrEqual(60)
    expect(version).toBeGreaterThanOrEqual(acknowledged)
    expect(controls?.map(({ subject }) => subject).sort()).toEqual(audited.sort())
    await store.close()
  })

  test('behavior: the audit is append-only', async () => {
    const file = freshFile()
    const store = await createSqliteStore({ file, writesHere: true })
    const entry = { request: '1', at: 1, who: 'ops', command: 'makers ban', subject: 'a', why: 'test', detail: '{}' }
    await store.changeControls({ after: 0, entry })
    await store.close()
    const database = new SqliteDatabase(file)
    for (const change of ["update audit set who = 'me'", 'delete from audit']) {
      expect(() => database.exec(change)).toThrow('the audit is append-only')
    }
    expect(database.prepare('select who from audit').pluck().all()).toEqual(['ops'])
    database.close()
  })

  test('behavior: writes in one tick share a commit, and a bad one does not fail the others', async () => {
    const file = freshFile()
    const store = await createSqliteStore({ file })
    await store.insertQuote(newQuote(1))
    const bad = newQuote(3, { notional: -1n })
    const answers = await Promise.allSettled([
      store.insertQuote(newQuote(2)),
      // A value that SQLite cannot bind makes the statement fail.
      store.insertQuote({ ...bad, createdAt: Number.NaN }),
      store.insertQuote(newQuote(4)),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(answers[1]).toMatchObject({ reason: expect.any(StorageUnavailableError) })
    expect(await store.findQuote(newQuote(2).hash)).not.toBeNull()
    expect(await store.findQuote(bad.hash)).toBeNull()
    await store.close()
  })

  test('behavior: old auctions are pruned as a whole, and published quotes are kept', async () => {
    const retention = { milliseconds: 1e12, auctionQuotes: 3 }
    const store = await createSqliteStore({ file: ':memory:', retention, pruneEvery: 1 })
    await store.insertQuote(newQuote(2))
    await run(store, 1, [1, 2])
    await run(store, 2, [3, 4])
    expect(await store.findAuction({ rfqId: idOf(1) })).toBeNull()
    expect(await store.findQuote(newQuote(1).hash)).toBeNull()
    expect(await store.findQuote(newQuote(2).hash)).toMatchObject({ listed: true })
    expect((await store.findAuction({ rfqId: idOf(2) }))?.quotes).toHaveLength(2)
    expect(await store.listObservations({})).toHaveLength(2)
    await store.close()
  })

  test('behavior: expired auctions and published quotes are pruned', async () => {
    const store = await createSqliteStore({
      file: ':memory:',
      retention: { milliseconds: 1_000, auctionQuotes: 100 },
      pruneEvery: 1,
    })
    await run(store, 1, [])
    await run(store, 2, [1])
    const { deadline } = newQuote(1).quote
    await store.insertQuote(newQuote(9))
    const late = newClose(idOf(3), { at: (Number(deadline) + 10) * 1000 })
    await runAuction(store, newAuction(idOf(3)), [], late)
    for (const n of [1, 2]) expect(await store.findAuction({ rfqId: idOf(n) })).toBeNull()
    expect(await store.findQuote(newQuote(9).hash)).toBeNull()
    expect(await store.findAuction({ rfqId: idOf(3) })).toEqual(closedRecord(newAuction(idOf(3)), [], late))
    await store.close()
  })

  test('behavior: an open auction is never pruned, and a key after its lifetime', async () => {
    const retention = { milliseconds: 1, auctionQuotes: 1 }
    const file = freshFile()
    const store = await createSqliteStore({ file, retention, pruneEvery: 1, writesHere: true })
    const key = { key: newQuote(77).hash, request: newQuote(78).hash }
    await store.openAuction(newAuction(idOf(1), {}, key))
    for (const n of [1, 2, 3]) await store.acceptQuote(newAuctionQuote(n, idOf(1)), openedAt)
    const later = (milliseconds: number) => newQuote(9, {}, { createdAt: openedAt + milliseconds })
    await store.insertQuote(later(keyLifetimeMs))
    expect(await store.findAuctionByKey(key.key, 0)).toEqual({ rfqId: idOf(1), request: key.request })
    await store.insertQuote(later(keyLifetimeMs + 1))
    expect(await store.findAuctionByKey(key.key, 0)).toBeNull()
    expect((await store.findAuction({ rfqId: idOf(1) }))?.quotes).toHaveLength(3)
    await store.closeAuction(newClose(idOf(1)))
    await store.insertQuote(later(keyLifetimeMs + 2))
    expect(await store.findAuction({ rfqId: idOf(1) })).toBeNull()
    await store.close()
  })

  test('behavior: expired quotes leave the lists immediately, and the database later', async () => {
    const file = freshFile()
    const store = await createSqliteStore({
      file,
      retention: { milliseconds: 100_000, auctionQuotes: 9 },
      pruneEvery: 1,
      writesHere: true,
    })
    const { deadline } = newQuote(1).quote
    const at = (seconds: bigint) => ({ createdAt: Number(seconds) * 1000 })
    const far = { deadline: deadline + 1_000n }
    await store.insertQuote(newQuote(1))
    await store.insertQuote(newQuote(2, far, at(deadline + 1n)))
    const reader = new SqliteDatabase(file, { readonly: true })
    const statuses = () => reader.prepare('select status from quotes order by hash').pluck().all()
    expect(statuses()).toEqual(['expired', 'active'])
    expect(await store.findQuote(newQuote(1).hash)).toMatchObject({ status: 'active', listed: true })
    // Events still take precedence. When the events are undone, the status is restored.
    const block = (n: number) => ({ number: BigInt(n), hash: newQuote(n).hash, timestamp: BigInt(n) })
    const place = { blockNumber: 2n, blockHash: block(2).hash, logIndex: 0, transactionHash: block(3).hash }
    const fact = { type: 'nonceRaised', maker: newQuote(1).quote.maker, nonce: 1n } as const
    await store.applyBlocks({ after: null, cursor: block(1), blocks: [], events: [], keep: 9, at: 0 })
    const events = [{ ...place, fact }]
    await store.applyBlocks({ after: block(1), cursor: block(2), blocks: [], events, keep: 9, at: 0 })
    expect(statuses()).toEqual(['nonce_raised', 'nonce_raised'])
    await rollBackTo(store, block(1), 0)
    await store.insertQuote(newQuote(3, far, at(deadline + 1n)))
    expect(statuses()).toEqual(['expired', 'active', 'active'])
    await store.insertQuote(newQuote(4, far, at(deadline + 102n)))
    expect(statuses()).toEqual(['active', 'active', 'active'])
    reader.close()
    await store.close()
  })

  test('behavior: a write prunes a bounded number of rows, but more than it adds', async () => {
    const store = await createSqliteStore({ file: ':memory:', retention: { milliseconds: 0, auctionQuotes: 1e9 } })
    const first = Array.from({ length: 600 }, (_, n) => newQuote(n + 1))
    await Promise.all(first.map((quote) => store.insertQuote(quote)))
    const late = { createdAt: (Number(first[0]?.quote.deadline) + 9) * 1_000 }
    const left = async () => (await Promise.all(first.map(({ hash }) => store.findQuote(hash)))).filter(Boolean).length
    const counts: number[] = []
    for (let n = 0; n < 600; n += 100) {
      const more = Array.from({ length: 100 }, (_, m) => newQuote(1_000 + n + m, { deadline: 2n ** 40n }, late))
      await Promise.all(more.map((quote) => store.insertQuote(quote)))
      counts.push(await left())
    }
    expect(counts[0]).toBeGreaterThan(0)
    expect(counts.at(-1)).toBe(0)
    await store.close()
  })

  test('error: a file that is not a database', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'firmquote-store-')), 'firmquote.db')
    directories.push(join(file, '..'))
    writeFileSync(file, 'this is not a database, whatever its name says; it is text of some length.'.repeat(20))
    await expect(createSqliteStore({ file })).rejects.toThrow(ConfigurationError)
  })

  test('error: a directory that cannot be created', async () => {
    const file = join(freshFile(), 'firmquote.db')
    const parent = join(file, '..', '..')
    writeFileSync(parent, 'a file where the directory should be')
    await expect(createSqliteStore({ file })).rejects.toThrow(/cannot be opened.*DATA_DIR/)
  })

  test('error: a database written by a newer version', async () => {
    const file = freshFile()
    await (await createSqliteStore({ file, writesHere: true })).close()
    const database = new SqliteDatabase(file)
    database.prepare("insert into kysely_migration (name, timestamp) values ('999_future', '')").run()
    database.close()
    await expect(createSqliteStore({ file })).rejects.toThrow(/newer version/)
    expect(existsSync(file)).toBe(true)
  })

  test.each(['rate', 'created', 'deadline'] as const)(
    'behavior: a list by %s continues after a page, even if the last quote was pruned',
    async (sort) => {
      const file = freshFile()
      const store = await createSqliteStore({ file, writesHere: true })
      await applyBlock(store, 1, seriesCreated())
      const quotes = Array.from({ length: 5 }, (_, n) => newQuote(n, {}, { apr: 1, createdAt: 1 }))
      for (const quote of quotes) await store.insertQuote(quote)
      const page = await store.listQuotes({ sort, limit: 2 }, now)
      const shown = page.quotes.map((record) => record.parse().hash)
      const database = new SqliteDatabase(file)
      database.prepare('delete from quotes where hash = ?').run(blobOf(shown[1] ?? '0x'))
      database.close()
      const next = await store.listQuotes({ sort, cursor: page.nextCursor ?? '' }, now)
      const all = [...shown, ...next.quotes.map((record) => record.parse().hash)]
      expect(new Set(all)).toEqual(new Set(quotes.map(({ hash }) => hash)))
      await store.close()
    },
  )

  test('behavior: the lists use their indexes', async () => {
    const file = freshFile()
    await (await createSqliteStore({ file, writesHere: true })).close()
    const database = new SqliteDatabase(file)
    const planOf = (query: PreparedQuery<never, unknown>) => {
      const text = query.sqlite?.sql ?? ''
      const plan = database.prepare(`explain query plan ${text}`).all(...Array(text.split('?').length - 1).fill(null))
      return plan.map((row) => (row as { detail: string }).detail)
    }
    for (const [walk, search] of [
      [scans.created, 'quotes_by_created (created_at<?)'],
      [scans.deadline, 'quotes_by_deadline (deadline>?)'],
      [{ page: selectWalked, stop: selectWalkEnd }, 'quotes_by_series_price (<expr>=? AND price>?)'],
    ] as const) {
      for (const walked of [planOf(walk.page), planOf(walk.stop)]) {
        expect(walked).toContainEqual(expect.stringContaining(`SEARCH quotes USING INDEX ${search}`))
        expect(walked.join()).not.toMatch(/TEMP B-TREE|SCAN quotes USING|MATERIALIZE/)
      }
    }
    for (const [by, search] of [
      ['maker', 'quotes_of_maker (maker=? AND listed=? AND status=?)'],
      ['taker', 'quotes_of_taker (<expr>=?)'],
      ['pool', 'quotes_of_pool (<expr>=?)'],
      ['series', 'quotes_by_series_price (<expr>=?)'],
    ] as const) {
      const { count, pages, rates } = narrowings[by]
      for (const narrowed of [count, ...Object.values(pages), rates]) {
        expect(planOf(narrowed).join('; ')).toMatch(new RegExp(`INDEX ${search.replace(/[()?<>]/g, '\\$&')}`))
      }
    }
    const observations = (where: string) =>
      database
        .prepare(
          `explain query plan select * from auction_quotes as observed cross join auctions cross join quotes
           where auctions.id = observed.auction_id and quotes.hash = observed.hash and auctions.state = 'closed' ${where}
           order by observed.id desc limit 50`,
        )
        .all()
        .map((row) => (row as { detail: string }).detail)
        .join('; ')
    expect(observations('')).toMatch(/^SCAN observed; SEARCH auctions .*rowid=\?\); SEARCH quotes .*hash=\?\)$/)
    expect(observations("and observed.pool_id = x'00'")).toMatch(
      /^SEARCH observed USING INDEX auction_quotes_pool_id_id/,
    )
    // Only quotes in one size class are read, in order of price.
    const [offers, ...others] = planOf(selectOffers)
    expect(offers).toMatch(/USING INDEX quotes_offers \(<expr>=\? AND <expr>=\? AND price>\?\)$/)
    expect(others.join()).not.toMatch(/B-TREE|SCAN quotes/)
    database.close()
  })
})

describe('status updates', () => {
  const block = (n: number) => ({ number: BigInt(n), hash: hashOf(n), timestamp: BigInt(n) })
  const place = { blockNumber: 1n, blockHash: hashOf(1), transactionHash: hashOf(1) }
  const first = { after: null, cursor: block(1), blocks: [block(1)], keep: 9 }
  const { maker } = newQuote(1).quote

  test('behavior: is kept for 72 hours, and its numbers for good', async () => {
    const store = await createSqliteStore({ file: ':memory:', pruneEvery: 1 })
    for (const n of [1, 2]) await store.insertQuote(newQuote(n, { deadline: 9_000_000_000n }))
    const fact = { type: 'quoteEnded', hash: hashOf(1), status: 'cancelled' } as const
    const at = 1_000_000_000
    await store.applyBlocks({ ...first, events: [{ ...place, logIndex: 0, fact }], at })
    const kept = async () => store.listStatuses(maker, { after: 0, limit: 9 })
    await store.insertQuote(newQuote(3, { maker: makerOf(3) }, { createdAt: at + 72 * 3_600_000 }))
    expect((await kept()).statuses).toHaveLength(1)
    await store.insertQuote(newQuote(4, { maker: makerOf(3) }, { createdAt: at + 72 * 3_600_000 + 1 }))
    expect(await kept()).toEqual({ statuses: [], oldest: 2, newest: 1 })
    await rollBackTo(store, null, at)
    expect(await kept()).toMatchObject({ statuses: [{ seq: 2, status: 'active' }], oldest: 2, newest: 2 })
    await store.close()
  })

  test('behavior: the newest 10,000 of a maker are kept', async () => {
    const store = await createSqliteStore({ file: ':memory:' })
    const inserts = Array.from({ length: 10_001 }, (_, n) => store.insertQuote(newQuote(n)))
    await Promise.all(inserts)
    const fact = { type: 'nonceRaised', maker, nonce: 1n } as const
    await store.applyBlocks({ ...first, events: [{ ...place, logIndex: 0, fact }], at: 1 })
    expect(await store.listStatuses(maker, { after: 10_000, limit: 9 })).toMatchObject({
      statuses: [{ seq: 10_001 }],
      oldest: 2,
      newest: 10_001,
    })
    await store.close()
  })

  test('behavior: an unpublished quote is kept until its status updates are final', async () => {
    const retention = { milliseconds: 40_000, auctionQuotes: 10 }
    const store = await createSqliteStore({ file: ':memory:', pruneEvery: 1, retention })
    await runAuction(store, newAuction(), [newAuctionQuote(5)])
    const fact = { type: 'quoteEnded', hash: hashOf(5), status: 'cancelled' } as const
    const at = openedAt + 60_000
    await store.applyBlocks({ ...first, events: [{ ...place, logIndex: 0, fact }], at })
    await store.insertQuote(newQuote(6, {}, { createdAt: at }))
    expect(await store.findAuction({ rfqId })).toBeNull()
    expect(await store.findQuote(hashOf(5))).toMatchObject({ status: 'cancelled' })
    await store.finalize(block(1), at)
    expect(await store.findQuote(hashOf(5))).toBeNull()
    expect((await store.listStatuses(makerOf(5), { after: 0, limit: 9 })).statuses).toMatchObject([
      { final: false },
      { final: true },
    ])
    await store.close()
  })
})

/**
 * Runs the contract on a store in a file, which is emptied before each test because its threads are slow to start. The
 * store prunes on every write. Every table gets an extra first column, so that no code can rely on column positions.
 */
function describeReusedStore(): void {
  const directory = mkdtempSync(join(tmpdir(), 'firmquote-store-'))
  const file = join(directory, 'firmquote.db')
  let open: Store | null = null
  beforeAll(async () => {
    await (await createSqliteStore({ file, writesHere: true })).close()
    putColumnFirst(file)
  })
  const create = async () => {
    open ??= await createSqliteStore({ file, pruneEvery: 1 })
    return open
  }
  const release = async (store: Store) => {
    await store.ping().catch(() => {
      open = null
    })
    emptyTables(file)
  }
  afterAll(async () => {
    await open?.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const histories = { count: 60, ordered: false }
  describeStoreContract('SQLite in a file, with other columns', create, { release, forgets: true, histories })
}

/** Deletes all rows except the migration history, and resets the ID sequences. */
function emptyTables(file: string): void {
  const database = new SqliteDatabase(file)
  database.pragma('foreign_keys = off')
  const tables = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'kysely%' and name <> 'sqlite_stat1'",
    )
    .pluck()
    .all()
  expect(tables.length).toBeGreaterThanOrEqual(13)
  // The audit's triggers refuse to delete.
  const triggers = database
    .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_master where type = 'trigger'")
    .all()
  database.exec(triggers.map(({ name }) => `drop trigger "${name}";`).join('\n'))
  database.exec(tables.map((table) => `delete from "${table}";`).join('\n'))
  for (const { sql } of triggers) database.exec(sql)
  database.close()
}

/** Rewrites an empty database's schema so that every table has an extra first column. */
function putColumnFirst(file: string): void {
  const database = new SqliteDatabase(file)
  database.unsafeMode()
  database.pragma('writable_schema = on')
  const { changes } = database
    .prepare(
      `update sqlite_master set sql = substr(sql, 1, instr(sql, '(')) || 'unknown text, ' || substr(sql, instr(sql, '(') + 1)
       where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'`,
    )
    .run()
  expect(changes).toBe(26)
  database.close()
}

const idOf = (n: number) => toRfqId(String(n).padStart(32, '0'))

async function run(store: Store, auction: number, numbers: readonly number[]): Promise<void> {
  const quotes = numbers.map((n) => newAuctionQuote(n, idOf(auction)))
  await runAuction(store, newAuction(idOf(auction)), quotes)
}
