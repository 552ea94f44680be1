import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type SharedPostgres, sharePostgres } from '@firmquote/cluster/sharePostgres'
import { systemClock } from '@firmquote/core/utils'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { type Filled, fillStore, readAll } from '../../../test/fillStore.ts'
import { storeWrites } from '../../ports/store.ts'
import { createSqliteStore } from '../sqliteStore/sqliteStore.ts'
import { checkComplete, copyDatabase } from './copyDatabase.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { createPostgresStore } from './postgresStore.ts'

const tables = [
  ...['quotes', 'auctions', 'auction_quotes', 'status_counts', 'quote_statuses', 'quote_ends', 'nonce_raises', 'pools'],
  ...['series', 'positions', 'settlements', 'floating_points', 'fill_days', 'offer_days', 'day_prices'],
  ...['controls', 'audit', 'blocks', 'sync_cursor'],
]

const given = findPostgres() ? describe : describe.skip
given('copyDatabase', () => {
  let folder: string
  let postgres: SharedPostgres
  /** A database with tables but no rows, copied for each test. */
  let empty: string
  let source: Database
  let filled: Filled
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'firmquote-copy-'))
    postgres = await sharePostgres()
    empty = await postgres.createDatabase()
    await migrate(empty, { migrations })
    const file = join(folder, 'firmquote.db')
    const store = await createSqliteStore({ file, writesHere: true })
    filled = await fillStore(store, { size: 60, seed: 1 })
    await store.close()
    source = new SqliteDatabase(file)
  })
  afterAll(async () => {
    source?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const newTarget = () => postgres.createDatabase(empty)
  const countsIn = (read: (text: string) => Promise<unknown> | unknown) =>
    Promise.all(tables.map(async (name) => [name, Number(await read(`select count(*) as n from ${name}`))]))
  const countsOf = (target: string) => countsIn(async (text) => (await postgres.query(text, target))[0]?.['n'])
  const inSource = (text: string) => source.prepare(text).pluck().get()
  const copyTo = async (target: string, batchRows = 7) => {
    const lines: string[] = []
    await copyDatabase({ source, target, batchRows, report: (line) => lines.push(line) })
    return lines
  }
  const query = (target: string) => async (text: string, values: unknown[]) =>
    postgres.query(text.replace('$1', `'${values[0]}'`), target)
  const failureOf = (work: Promise<unknown>) => expect(work).rejects
  const sentence = (pattern: RegExp) => ({ name: 'ConfigurationError', shortMessage: expect.stringMatching(pattern) })

  test('default: every table is copied, and new rows have new IDs', async () => {
    const target = await newTarget()
    const lines = await copyTo(target)
    const counts = await countsIn(inSource)
    expect(counts.filter(([, count]) => count === 0)).toEqual([])
    expect(await countsOf(target)).toEqual(counts)
    for (const [name, count] of counts) expect(lines.join('\n')).toContain(`\n${name}: ${count} identical rows`)
    await checkComplete(query(target), target)
    for (const [table, column] of [
      ['auctions', 'id'],
      ['auction_quotes', 'id'],
      ['quote_statuses', 'id'],
      ['audit', 'id'],
      ['quotes', 'rowid'],
    ]) {
      const next = await postgres.query(
        `select nextval(pg_get_serial_sequence('${table}', '${column}'))::int as n`,
        target,
      )
      expect(next).toEqual([{ n: Number(inSource(`select max(${column}) from ${table}`)) + 1 }])
    }
  })

  test('behavior: every read returns the same result on both databases', async () => {
    const target = await newTarget()
    await copyTo(target)
    const other = await createPostgresStore({ url: target, clock: systemClock, log: { info() {}, warn() {} } })
    const here = await createSqliteStore({ file: source.name, writesHere: true })
    try {
      const [of, onTarget] = [await readAll(here, filled), await readAll(other, filled)]
      const others = ['ping', 'probe', 'integrity', 'size', 'close', 'proofs']
      const reads = Object.keys(here).filter((name) => ![...storeWrites, ...others].includes(name))
      expect(Object.keys(of).sort()).toEqual(reads.sort())
      // Each query returned something.
      expect(Object.entries(of).filter(([, answers]) => !/[1-9]/.test(answers))).toEqual([])
      expect(onTarget).toEqual(of)
    } finally {
      await Promise.all([here.close(), other.close()])
    }
  })

  test('behavior: an interrupted copy is rejected by servers, and resumed', async () => {
    const target = await newTarget()
    let lines = 0
    const cut = copyDatabase({
      ...{ source, target, batchRows: 5 },
      report(line) {
        lines += 1
        // Interrupts the command between copying and comparing.
        if (line.startsWith('Comparing')) throw new TypeError('cut')
      },
    })
    await failureOf(cut).toThrow('cut')
    expect(lines).toBeGreaterThan(1)
    await failureOf(checkComplete(query(target), target)).toMatchObject(
      sentence(/has an incomplete copy; run .* again/),
    )
    // Simulate two earlier interruptions, one in a table keyed by hashes and one in a table keyed by numbers.
    await postgres.query(
      'delete from blocks; delete from settlements; delete from nonce_raises where block_number > 9',
      target,
    )
    expect((await copyTo(target))[0]).toMatch(/^Resuming/)
    expect(await countsOf(target)).toEqual(await countsIn(inSource))
    await checkComplete(query(target), target)
  })

  test.each([
    ['quotes', 'update quotes set apr = apr + 1e-12 where hash = (select hash from quotes order by hash desc limit 1)'],
    ['quotes', 'update quotes set rowid = default where hash = (select hash from quotes order by hash limit 1)'],
    ['auction_quotes', 'delete from auction_quotes where id = (select min(id) from auction_quotes)'],
    [
      'positions',
      "update positions set cost = overlay(cost placing '\\xff' from 32) where position_id = (select position_id from positions order by position_id desc limit 1)",
    ],
    [
      'quote_statuses',
      'update quote_statuses set taker = null where id = (select min(id) from quote_statuses where taker is not null)',
    ],
  ])('error: a row of %s that was changed in the target is found: %s', async (table, change) => {
    const target = await newTarget()
    const cut = copyDatabase({
      ...{ source, target },
      report(line) {
        if (line.startsWith('Comparing')) throw new TypeError('cut')
      },
    })
    await failureOf(cut).toThrow('cut')
    await postgres.query(change, target)
    await failureOf(copyTo(target)).toMatchObject(
      sentence(new RegExp(`differs from the one in DATA_DIR in ${table} at `)),
    )
    await failureOf(checkComplete(query(target), target)).toMatchObject(sentence(/incomplete copy/))
  })

  test('error: a target that has data is not changed', async () => {
    const target = await newTarget()
    await copyTo(target)
    await failureOf(copyTo(target)).toMatchObject(sentence(/already has data and was not changed/))
    const served = await newTarget()
    await postgres.query("insert into identity values ('chainId', '8453')", served)
    await failureOf(copyTo(served)).toMatchObject(sentence(/already has data/))
    const probed = await newTarget()
    await postgres.query("insert into blocks values (7, decode(repeat('00', 32), 'hex'))", probed)
    await failureOf(copyTo(probed)).toMatchObject(sentence(/already has data/))
  })

  test('behavior: the hint key and other facts specific to one database are not copied', async () => {
    const target = await newTarget()
    const store = await createPostgresStore({ url: target, clock: systemClock, log: { info() {}, warn() {} } })
    const key = await store.hintKey().finally(store.close)
    const file = join(folder, 'facts.db')
    await source.backup(file)
    const other = new SqliteDatabase(file)
    try {
      other.exec("insert into identity values ('hint_key', 'of the source'), ('oldest_program', '999_later')")
      await copyDatabase({ source: other, target, report: () => {} })
    } finally {
      other.close()
    }
    expect(await postgres.query('select key, value from identity order by key collate "C"', target)).toEqual([
      ...['chainId', 'genesisHash'].map((name) => ({ key: name, value: expect.any(String) })),
      { key: 'hint_key', value: Buffer.from(key).toString('hex') },
      { key: 'quoteMarket', value: expect.any(String) },
    ])
  })

  test('error: an incomplete copy of another database is not resumed', async () => {
    const target = await newTarget()
    await postgres.query("insert into identity values ('copying_since', 'then'), ('chainId', '1')", target)
    await failureOf(copyTo(target)).toMatchObject(
      sentence(/has an incomplete copy of another database \((chainId|genesisHash|quoteMarket)\)/),
    )
  })

  test('error: a database without data, and a table that the copy does not know', async () => {
    const target = await newTarget()
    const file = join(folder, 'other.db')
    await source.backup(file)
    const other = new SqliteDatabase(file)
    try {
      other.exec('create table later (n integer) strict')
      await failureOf(copyDatabase({ source: other, target, report: () => {} })).toThrow(
        'does not list the tables later',
      )
      other.exec('drop table later; delete from identity')
      await failureOf(copyDatabase({ source: other, target, report: () => {} })).toMatchObject(
        sentence(/nothing to copy/),
      )
    } finally {
      other.close()
    }
  })

  test('error: a lost target is reported in one sentence, and the copy can be resumed', async () => {
    const target = await newTarget()
    const cut = copyDatabase({
      ...{ source, target, batchRows: 5 },
      report(line) {
        if (!line.startsWith('Copying')) return
        void postgres.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${target.split('/').at(-1)}' and pid <> pg_backend_pid()`,
        )
      },
    })
    await failureOf(cut).toMatchObject(sentence(/cannot be used: .*\. Run the same command again to resume\.$/))
    await copyTo(target)
    expect(await countsOf(target)).toEqual(await countsIn(inSource))
  })
})
