import { copyFileSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder as directory, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { fillStore } from '../../../test/fillStore.ts'
import { hashOf, makerOf } from '../../../test/storedQuotes.ts'
import { backUpDatabase } from './backUpDatabase.ts'
import { migrations } from './migrations.ts'
import { databaseFile } from './openOwnedStore.ts'
import { createSqliteStore } from './sqliteStore.ts'
import { verifyBackup } from './verifyBackup.ts'

const newest = Object.keys(migrations).at(-1)
let backup = ''

useFolder(beforeEach, afterEach)
beforeEach(async () => {
  backup = join(directory, 'backups/backup.db')
  mkdirSync(join(directory, 'backups'))
  const store = await createSqliteStore({ file: databaseFile(directory), writesHere: true })
  await fillStore(store, { size: 40, seed: 1 })
  await backUpDatabase(directory, backup)
  await store.close()
})

/** Runs SQL on the backup. */
function change(sql: string): void {
  const database = new SqliteDatabase(backup)
  database.exec(sql)
  database.close()
}
const refusal = async (file = backup) => {
  try {
    return await verifyBackup(file)
  } catch (error) {
    return String((error as { shortMessage?: string }).shortMessage).replace(file, 'FILE')
  }
}

describe('verifyBackup', () => {
  test('default: the identity, the schema, the newest block and the numbers of rows', async () => {
    const source = new SqliteDatabase(databaseFile(directory), { readonly: true })
    const count = (table: string) => source.prepare(`select count(*) from ${table}`).pluck().get()
    const summary = await verifyBackup(backup)
    expect(summary).toEqual({
      chainId: '8453',
      genesisHash: hashOf(1),
      quoteMarket: makerOf(100).toLowerCase(),
      schema: { name: newest, isCurrent: true },
      block: source.prepare('select number, timestamp from sync_cursor').get(),
      rows: { quotes: count('quotes'), auctions: count('auctions'), positions: count('positions') },
    })
    source.close()
    expect(Object.values(summary.rows).every((rows) => rows > 0)).toBe(true)
  })

  test('behavior: neither the file nor its folder changes, even in the WAL mode of older copies', async () => {
    for (const mode of ['delete', 'wal']) {
      change(`pragma journal_mode = ${mode}`)
      const before = readFileSync(backup)
      await verifyBackup(backup)
      expect(readFileSync(backup).equals(before)).toBe(true)
      expect(readdirSync(join(directory, 'backups'))).toEqual(['backup.db'])
    }
  })

  test('behavior: an older schema is named, and needs no table of a later one', async () => {
    change(`delete from kysely_migration where name > '002'; drop table positions; drop table sync_cursor`)
    expect(await verifyBackup(backup)).toMatchObject({
      schema: { name: '001_quotes_and_auctions', isCurrent: false },
      block: null,
      rows: { positions: 0 },
    })
  })

  test('error: no file, a folder, an empty file', async () => {
    expect(await refusal(join(directory, 'none'))).toBe('The backup FILE does not exist.')
    expect(await refusal(directory)).toBe('The backup FILE is not a file.')
    truncateSync(backup)
    expect(await refusal()).toBe('The backup FILE is empty.')
  })

  test('error: a damaged page, a truncated file, a file that is no database', async () => {
    const whole = readFileSync(backup)
    const tail = whole.length - (whole.length % 4_096) - 8 * 2_048
    writeFileSync(backup, Buffer.from(whole).fill(0x5a, tail, tail + 2_048))
    expect(await refusal()).toMatch(/^The backup FILE is damaged: /)
    writeFileSync(backup, whole.subarray(0, whole.length - 2_048))
    expect(await refusal()).toMatch(/^The backup FILE is damaged: /)
    writeFileSync(backup, 'x'.repeat(5_000))
    expect(await refusal()).toBe('The backup FILE is damaged: file is not a database.')
  })

  test('error: an index that lacks a row', async () => {
    const database = new SqliteDatabase(backup)
    database.unsafeMode()
    database.exec(`pragma writable_schema = on;
      update sqlite_master set sql = replace(sql, 'listed = 1', 'listed = 0') where type = 'index' and tbl_name = 'quotes'`)
    database.close()
    expect(await refusal()).toMatch(/^The backup FILE is damaged: row \d+ missing from index/)
  })

  test("error: another program's database", async () => {
    change('delete from kysely_migration')
    expect(await refusal()).toBe('The backup FILE is the database of another program.')
    change(`insert into kysely_migration values ('001_quotes', '')`)
    expect(await refusal()).toBe('The backup FILE is the database of another program.')
    const other = join(directory, 'other.db')
    new SqliteDatabase(other).exec('create table t (x)').close()
    expect(await refusal(other)).toBe('The backup FILE is the database of another program.')
  })

  test('error: a newer version wrote it', async () => {
    change(`insert into kysely_migration values ('999_later', '')`)
    expect(await refusal()).toBe('The backup FILE was written by a newer version of the server (migration 999_later).')
  })

  test('error: no server has used it', async () => {
    change(`delete from identity where key = 'genesisHash'`)
    expect(await refusal()).toBe('The backup FILE has no data: no server has used it.')
  })

  test('error: an open database, or a copy of one', async () => {
    const store = await createSqliteStore({ file: databaseFile(directory) })
    const sentence =
      'The backup FILE is open in a program, or a copy of an open database; copy it with "firmquote-server backup".'
    expect(await refusal(databaseFile(directory))).toBe(sentence)
    await store.close()
    expect(await refusal(databaseFile(directory))).toMatchObject({ chainId: '8453' })
    copyFileSync(databaseFile(directory), `${backup}-wal`)
    expect(await refusal()).toBe(sentence)
  })
})
