import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoteEffectiveApy, toRfqId } from '@firmquote/core'
import { openSqlite } from '@firmquote/node-runtime/openSqlite'
import { folder as directory, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { toHex } from 'viem'
import { expectPriceOrder, oldQuotes } from '../../../test/oldPrices.ts'
import { oldRates } from '../../../test/oldRates.ts'
import { rollBackTo } from '../../../test/storedBlocks.ts'
import {
  acceptedQuotes,
  closedRecord,
  hashOf,
  maker,
  makerOf,
  newAuction,
  newAuctionQuote,
  newQuote,
  now,
  rfqId,
  seriesKey,
} from '../../../test/storedQuotes.ts'
import { auctionResult } from '../../domain/auctionRecord.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import { quoteRow } from '../sqlStore/quotes/insertQuotes.ts'
import { migrations } from './migrations.ts'
import { createSqliteStore } from './sqliteStore.ts'

useFolder(beforeEach, afterEach)

const written = readFileSync(new URL('../../../test/firmquoteBefore006.sql', import.meta.url), 'utf8')
const [empty, unfinished, second] = ['cd', 'ef', '12'].map((byte) => toRfqId(byte.repeat(16))) as [
  typeof rfqId,
  typeof rfqId,
  typeof rfqId,
]
/**
 * The auction's quotes, in order of arrival. The third quote was ranked above the second one, which has the same price.
 */
const quotes = [5n, 3n, 3n].map((vrtAmount, index) => newAuctionQuote(index + 1, rfqId, { vrtAmount }))
const names = Object.keys(migrations)

/** Writes a database with the first `count` migrations and the data that the program of the time wrote. */
async function writeOld(file: string, count: number): Promise<void> {
  const source = new SqliteDatabase(':memory:')
  source.exec(written)
  const old = Object.fromEntries(Object.entries(migrations).slice(0, count))
  const { database } = await openSqlite(file, { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: old })
  for (const table of tablesOf(database)) {
    if (!tablesOf(source).includes(table)) continue
    const columns = columnsOf(database, table).filter((column) => columnsOf(source, table).includes(column))
    for (const row of source.prepare<[], Record<string, unknown>>(`select * from ${table}`).all()) {
      // A later migration changed a quote's body to hold its whole record.
      if (table === 'quotes' && count < 3) row['body'] = JSON.stringify(JSON.parse(String(row['body'])).quote)
      database
        .prepare(`insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`)
        .run(...columns.map((column) => row[column]))
    }
  }
  database.close()
  source.close()
}

function tablesOf(database: Database): string[] {
  return database
    .prepare<[], string>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'",
    )
    .pluck()
    .all()
}

const blob = (value: number) => Buffer.from(hashOf(value).slice(2), 'hex')
const account = (value: number) => blob(value).subarray(12)

function columnsOf(database: Database, table: string): string[] {
  return database.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table)
}

/** Checks that every answer matches the old program's. */
async function expectAll(file: string, cancelled: 'cancelled' | 'active' = 'cancelled'): Promise<void> {
  const store = await createSqliteStore({ file, writesHere: true })
  const record = await store.findAuction({ rfqId })
  const { close, ...accepted } = closedRecord(newAuction(), quotes)
  expect(record).toMatchObject({ close, publicRfqId: accepted.publicRfqId, rfq: accepted.rfq, backers: 4 })
  expect(record?.quotes.map(({ arrival: _, ...quote }) => quote)).toEqual(
    acceptedQuotes(quotes).map(({ arrival: _, ...quote }) => quote),
  )
  if (!record) return
  const { key: _, backers, rfq } = newAuction()
  expect(auctionResult(record)).toEqual({
    ...rfq,
    status: 'closed',
    closedAt: close?.closedAt,
    backers,
    rejectedCount: 2,
    // `best` and `effectiveApy` are computed rather than stored, so auctions from earlier versions have them too. The
    // notional is so large that every quote costs more than its share of the maximum of 7.
    best: { hashes: [], notional: 0n, cost: 0n },
    quotes: [3, 2, 1].map((n) => {
      const { hash, quote, apr, receivedAt } = quotes[n - 1] ?? newAuctionQuote(n)
      const effectiveApy = quoteEffectiveApy(quote, rfq.expiry, Math.floor(receivedAt / 1_000))
      return { hash, quote, apr, effectiveApy, receivedAt }
    }),
  })
  expect(await store.proofs?.findAuction({ rfqId })).toBeNull()
  const bare = await store.findAuction({ publicRfqId: publicRfqId(empty) })
  expect(bare).toMatchObject({ rfq: { rfqId: empty }, quotes: [], close: { rejectedCount: 2, interrupted: false } })
  expect(Object.keys(bare?.rfq ?? {})).not.toContain('maxVrtAmount')
  expect(await store.findAuction({ rfqId: second })).toMatchObject({ quotes: [{ hash: hashOf(2), seq: 1 }] })
  expect(await store.findAuction({ rfqId: unfinished })).toBeNull()
  expect(await store.listOpenAuctions()).toEqual([])
  // Observations are listed newest first, excluding late quotes and quotes without a result.
  expect((await store.listObservations({})).map((seen) => [Number(seen.hash), seen.publicRfqId])).toEqual([
    [2, publicRfqId(second)],
    [3, publicRfqId(rfqId)],
    [2, publicRfqId(rfqId)],
    [1, publicRfqId(rfqId)],
  ])
  for (const n of [4, 5]) expect(await store.findQuote(hashOf(n))).toBeNull()

  const published = newQuote(6, { maker: makerOf(6) })
  expect(await store.findQuote(hashOf(6))).toEqual({ ...published, status: 'active', listed: true })
  expect(await store.findQuote(hashOf(1))).toMatchObject({ listed: true })
  expect(await store.findQuote(hashOf(2))).toMatchObject({ listed: false })
  expect(await store.findQuote(hashOf(7))).toMatchObject({ status: cancelled })
  const page = await store.listQuotes({ sort: 'rate', seriesKey }, now)
  expect(page.quotes.map((listed) => Number(listed.parse().hash))).toEqual(cancelled === 'active' ? [1, 6, 7] : [1, 6])
  const own = await store.listMakerQuotes(makerOf(2), {}, now)
  expect(own.quotes).toMatchObject([{ hash: hashOf(2), publicRfqId: publicRfqId(second) }])
  const auctions = await store.listMakerAuctions(makerOf(2), {})
  expect(auctions.auctions.map((auction) => auction.publicRfqId)).toEqual([second, rfqId].map(publicRfqId))
  await store.claim({ chainId: 8453, genesisHash: hashOf(1), quoteMarket: maker })

  const third = toRfqId('34'.repeat(16))
  await store.openAuction(newAuction(third))
  await store.acceptQuote(newAuctionQuote(9, third), newAuction(third).rfq.openedAt)
  expect(await store.findAuction({ rfqId: third })).toMatchObject({ quotes: [{ seq: 1 }], close: null })
  await store.close()
}

describe('migrations', () => {
  test('behavior: data from before auctions were stored at their opening', async () => {
    const file = join(directory, 'firmquote.db')
    const database = new SqliteDatabase(file)
    database.exec(written)
    database.close()
    await expectAll(file)
    // The migrated database opens without changes.
    const store = await createSqliteStore({ file })
    expect(await store.findAuction({ rfqId })).not.toBeNull()
    await store.close()
  })

  test.each(names.slice(0, 5).map((name, index) => [name, index + 1] as const))(
    'behavior: a database from %s and before',
    async (_, count) => {
      const file = join(directory, 'firmquote.db')
      await writeOld(file, count)
      // The first version read statuses from the chain, so its quotes' statuses are recomputed.
      await expectAll(file, count === 1 ? 'active' : 'cancelled')
    },
  )

  test('behavior: positions settled before the migration are in the history, and no longer open', async () => {
    const file = join(directory, 'firmquote.db')
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '011'))
    const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: before }
    const { database } = await openSqlite(file, options)
    let events = 0
    const insert = (table: string, row: Record<string, unknown>) => {
      const place = { block_number: 5, block_hash: blob(5), log_index: events++, transaction_hash: blob(events) }
      const values = { ...row, ...place }
      const names = Object.keys(values)
      database
        .prepare(`insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`)
        .run(...Object.values(values))
    }
    const parties = { maker: account(1), borrower: account(2) }
    insert('pools', { pool_id: blob(1), loan_token: account(3), adapter: account(4), market: blob(2) })
    insert('series', { series_key: blob(3), pool_id: blob(1), expiry: 2_000_000_000, cap: blob(100) })
    const terms = { pool_id: blob(1), series_key: blob(3), notional: blob(10), cost: blob(2), opening_index: blob(1) }
    for (const id of [1, 2, 3]) insert('positions', { position_id: blob(id), ...parties, ...terms })
    insert('settlements', { position_id: blob(2), to_borrower: blob(4), to_maker: blob(8) })
    database.prepare('insert into sync_cursor (id, number, hash, timestamp) values (1, 5, ?, 1900000000)').run(blob(5))
    database.close()

    const store = await createSqliteStore({ file, writesHere: true })
    const owner = toHex(account(2))
    const idsOf = async (status: 'open' | 'settled' | 'all') =>
      (await store.listPositions({ account: owner, status, limit: 10 })).positions.map(({ positionId }) => positionId)
    expect([await idsOf('open'), await idsOf('settled'), await idsOf('all')]).toEqual([[1n, 3n], [2n], [3n, 2n, 1n]])
    const { positions } = await store.listPositions({ account: owner, status: 'settled', limit: 10 })
    expect(positions[0]?.settlement).toMatchObject({ toBorrower: 4n, toMaker: 8n, blockNumber: 5n })
    await rollBackTo(store, { number: 4n, hash: hashOf(4), timestamp: 1n }, 0)
    expect(await idsOf('all')).toEqual([])
    await store.close()
  })

  test('behavior: no status updates for earlier ends; later ones are complete', async () => {
    const file = join(directory, 'firmquote.db')
    const old = Object.fromEntries(Object.entries(migrations).slice(0, 8))
    const { database } = await openSqlite(file, { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: old })
    const [key, other] = [1, 2].map((n) => Buffer.from(hashOf(n).slice(2), 'hex'))
    const place = [5, Buffer.alloc(32, 5), Buffer.alloc(32, 7)]
    const { quote } = newQuote(1)
    const blob = (hex: string) => Buffer.from(hex.slice(2), 'hex')
    const amount = (n: number) => blob(hashOf(n))
    const columns = 'block_number, block_hash, transaction_hash, log_index'
    const ended = database.prepare(`insert into quote_ends (${columns}, hash, status) values (?, ?, ?, ?, ?, 'filled')`)
    ended.run(...place, 1, key)
    ended.run(...place, 3, other)
    database
      .prepare(
        `insert into positions (${columns}, position_id, maker, borrower, pool_id, series_key, notional, cost, opening_index)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        ...[...place, 2, amount(9), blob(quote.maker), blob(makerOf(4)), blob(quote.poolId), blob(quote.seriesKey)],
        ...[amount(1_000), amount(10), amount(1)],
      )
    database
      .prepare('insert into sync_cursor (id, number, hash, timestamp) values (1, 6, ?, ?)')
      .run(Buffer.alloc(32, 6), Number(now))
    database.close()
    const store = await createSqliteStore({ file, writesHere: true })
    expect(await store.listStatuses(maker, { after: 0, limit: 9 })).toEqual({ statuses: [], oldest: 1, newest: 0 })
    expect(await store.findUnfinalizedBlock()).toBeNull()
    await store.insertQuote(newQuote(2))
    expect((await store.listStatuses(maker, { after: 0, limit: 9 })).statuses).toMatchObject([
      {
        seq: 1,
        hash: hashOf(2),
        status: 'filled',
        block: 5,
        taker: makerOf(4),
        notional: 1_000n,
        cost: 10n,
        positionId: 9n,
      },
    ])
    await store.close()
  })

  test('behavior: earlier auctions are counted for takers that were verified', async () => {
    const file = join(directory, 'firmquote.db')
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '012'))
    const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: before }
    const { database } = await openSqlite(file, options)
    const insert = database.prepare(
      `insert into auctions (public_rfq_id, rfq_id, state, opened_at, closes_at, last_seq, backers, body)
       values (?, ?, 'open', 5, 6, 0, 1, ?)`,
    )
    const taker = makerOf(4)
    for (const [n, terms] of [
      { taker, takerVerified: true },
      { taker, takerVerified: false },
      { taker },
      {},
    ].entries()) {
      insert.run(Buffer.alloc(16, n), Buffer.alloc(16, 10 + n), JSON.stringify(terms))
    }
    database.close()
    const store = await createSqliteStore({ file, writesHere: true })
    expect(await store.countTaker({ taker, since: 5, from: 0n, most: 9 })).toEqual({ asked: 1, taken: 0 })
    await store.close()
  })

  test('behavior: existing quotes for one taker are found by taker', async () => {
    const file = join(directory, 'firmquote.db')
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '013'))
    const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: before }
    const { database } = await openSqlite(file, options)
    const rows = [newQuote(1, { taker: makerOf(4) }), newQuote(2)].map((quote) => quoteRow(quote, true))
    const names = Object.keys(rows[0] ?? {}).filter((name) => name !== 'price')
    const insert = database.prepare(`insert into quotes (${names}) values (${names.map(() => '?')})`)
    for (const row of rows) insert.run(names.map((name) => row[name as keyof typeof row]))
    database.close()
    const store = await createSqliteStore({ file, writesHere: true })
    const { quotes } = await store.listQuotes({ taker: makerOf(4) }, now)
    expect(quotes.map((record) => record.parse().hash)).toEqual([hashOf(1)])
    await store.close()
  })

  test('behavior: existing quotes are listed by their price', async () => {
    const file = join(directory, 'firmquote.db')
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '017'))
    const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: before }
    const { database } = await openSqlite(file, options)
    for (const quote of oldQuotes) {
      const { price: _, ...row } = quoteRow(quote, true)
      const names = Object.keys(row)
      database.prepare(`insert into quotes (${names}) values (${names.map(() => '?')})`).run(Object.values(row))
    }
    database.close()
    const store = await createSqliteStore({ file, writesHere: true })
    await expectPriceOrder(store)
    await store.close()
  })

  test("behavior: a forged best rate of a day is gone, and the day's fills come back from the chain", async () => {
    const file = join(directory, 'firmquote.db')
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '015'))
    const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: before }
    const { database } = await openSqlite(file, options)
    for (const statement of oldRates.statements) database.exec(statement)
    database.close()
    const store = await createSqliteStore({ file, writesHere: true })
    expect(await oldRates.days(store)).toEqual([])
    await oldRates.record(store)
    expect(await oldRates.days(store)).toEqual(oldRates.expected)
    await store.close()
    // The previous version can still write to its table.
    const migrated = new SqliteDatabase(file)
    expect(migrated.prepare('select * from fixed_points').all()).toEqual([])
    migrated.exec(oldRates.forged)
    migrated.close()
  })

  test("behavior: a log from before the service's time was stored continues, with an unknown time", async () => {
    const file = join(directory, 'firmquote.db')
    const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '020'))
    const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: before }
    const { database } = await openSqlite(file, options)
    database
      .prepare(
        `insert into logs (origin, public_key, signer, size, root, at) values ('rfq.example.com/log/1', ?, ?, 0, ?, 5)`,
      )
      .run(blob(1), account(2), blob(3))
    database.close()
    const store = await createSqliteStore({ file, writesHere: true })
    expect(await store.proofs?.findLog()).toMatchObject({ head: { size: 0, at: 5 }, entries: 0, seenAt: 0 })
    await store.close()
  })

  test('behavior: these tests cover the newest migration', () => {
    expect(names).toHaveLength(20)
  })
})
