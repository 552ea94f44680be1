import { readFileSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder as directory, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ConfigurationError } from './configurationError.ts'
import { openSqlite } from './openSqlite.ts'

useFolder(beforeEach, afterEach)
afterEach(() => void jest.restoreAllMocks())

const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [] }
const creates = (table: string): Migration => ({
  up: (db: Kysely<unknown>) => db.schema.createTable(table).addColumn('id', 'integer').execute(),
})

describe('openSqlite', () => {
  test('behavior: a failed migration leaves the database unchanged', async () => {
    const file = join(directory, 'a.db')
    const first = { '001': creates('one') }
    ;(await openSqlite(file, { ...options, migrations: first })).database.close()
    const broken = { up: () => Promise.reject(new TypeError('broken')) }
    const failing = openSqlite(file, { ...options, migrations: { ...first, '002': creates('two'), '003': broken } })
    await expect(failing).rejects.toThrow(ConfigurationError)
    const database = new SqliteDatabase(file)
    const tables = database.prepare("select name from sqlite_master where type = 'table' and name not like 'kysely%'")
    expect(tables.pluck().all()).toEqual(['one'])
    expect(database.prepare('select name from kysely_migration').pluck().all()).toEqual(['001'])
    database.close()
    const later = await openSqlite(file, { ...options, migrations: { ...first, '002': creates('two') } })
    expect(later.database.prepare('select count(*) from two').pluck().get()).toBe(0)
    later.database.close()
  })

  test('behavior: an upgrade logs its migrations, its progress every five seconds, and its end; a new database does not', async () => {
    const file = join(directory, 'a.db')
    const logs: unknown[] = []
    const log = { info: (facts: unknown, message?: string) => void logs.push([message, facts]) }
    const first = { '001': creates('one') }
    ;(await openSqlite(file, { ...options, migrations: first, log })).database.close()
    expect(logs).toEqual([])
    // Each reading of the clock is two seconds after the previous one.
    let now = 0
    jest.spyOn(performance, 'now').mockImplementation(() => {
      now += 2_000
      return now
    })
    const inserts = (id: number) => ({
      up: (db: Kysely<unknown>) => sql`insert into one values (${id}), (${id + 1})`.execute(db).then(() => {}),
    })
    const migrations = { ...first, '002': inserts(1), '003': inserts(3) }
    ;(await openSqlite(file, { ...options, migrations, log })).database.close()
    const progress = logs.slice(1, -1)
    expect(logs[0]).toEqual([
      'migrating the database; this can take minutes',
      { file, bytes: expect.any(Number), migrations: ['002', '003'] },
    ])
    expect(progress.length).toBeGreaterThan(1)
    expect(progress).toContainEqual([
      'still migrating the database',
      { migration: '003', seconds: expect.any(Number), changedRows: expect.any(Number) },
    ])
    expect(logs.at(-1)).toEqual(['migrated the database', { seconds: expect.any(Number) }])
  })

  test.each([
    [
      'a constraint',
      [],
      /cannot be migrated: UNIQUE constraint failed: one\.id \(during 003\); run the previous version, and report this error\. The database is unchanged\.$/,
    ],
    [
      'a full disk',
      ['max_page_count = 8'],
      /cannot be migrated: its disk is full \(during 002\); free at least 1 MB on it, then start again\. The database is unchanged\.$/,
    ],
  ])('error: a migration that fails because of %s names the cause', async (_, pragmas, message) => {
    const file = join(directory, 'a.db')
    const first = { '001': creates('one') }
    ;(await openSqlite(file, { ...options, migrations: first })).database.close()
    const grows = {
      async up(db: Kysely<unknown>) {
        await sql`create unique index one_id on one (id)`.execute(db)
        await sql`create table two as select zeroblob(20000) as filler`.execute(db)
      },
    }
    const repeats = { up: (db: Kysely<unknown>) => sql`insert into one values (1), (1)`.execute(db).then(() => {}) }
    const failing = openSqlite(file, { ...options, pragmas, migrations: { ...first, '002': grows, '003': repeats } })
    await expect(failing).rejects.toMatchObject({
      code: 'BAD_CONFIGURATION',
      shortMessage: expect.stringMatching(message),
    })
    const database = new SqliteDatabase(file)
    expect(database.prepare('select name from kysely_migration').pluck().all()).toEqual(['001'])
    database.close()
  })

  test('error: an upgrade does not start if the disk may be too small for it', async () => {
    const file = join(directory, 'a.db')
    const first = { '001': creates('one') }
    ;(await openSqlite(file, { ...options, migrations: first })).database.close()
    const { bavail, bsize } = statfsSync(directory)
    // The file is sparse, so it takes up no space.
    truncateSync(file, bavail * bsize)
    ;(await openSqlite(file, { ...options, migrations: first })).database.close()
    const upgrading = openSqlite(file, { ...options, migrations: { ...first, '002': creates('two') } })
    await expect(upgrading).rejects.toThrow(
      /cannot be migrated: its disk has \d+ MB free, and the migration needs \d+ MB; free space on it, then start again\. The database is unchanged\./,
    )
  })

  test('error: a database of a newer version', async () => {
    const file = join(directory, 'a.db')
    const first = { '001': creates('one') }
    ;(await openSqlite(file, { ...options, migrations: { ...first, '002': creates('two') } })).database.close()
    await expect(openSqlite(file, { ...options, migrations: first })).rejects.toThrow(
      /cannot be migrated; if a newer version wrote it, run that version, or change DATA_DIR\./,
    )
  })

  test.each([
    ['in its first page', 0],
    ['where its tables are listed', 100],
  ])('error: a database that is damaged %s', async (_, offset) => {
    const file = join(directory, 'a.db')
    const migrations = { '001': creates('one') }
    ;(await openSqlite(file, { ...options, migrations })).database.close()
    const bytes = readFileSync(file)
    bytes.fill(0x5a, offset, offset + 400)
    writeFileSync(file, bytes)
    await expect(openSqlite(file, { ...options, migrations })).rejects.toThrow(
      /is corrupt; restore a backup, or change DATA_DIR\./,
    )
  })
})
