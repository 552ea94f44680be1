import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder as directory, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ConfigurationError } from './configurationError.ts'
import { openSqlite } from './openSqlite.ts'

useFolder(beforeEach, afterEach)

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
