import { existsSync, rmSync, statSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { ConfigurationError } from '../../ports/errors.ts'
import { migrations } from './migrations.ts'
import { isDamage } from './sqliteFailure.ts'

/** The contents of a backup. */
export type BackupSummary = {
  chainId: string
  genesisHash: string
  quoteMarket: string
  /** The newest migration. An older schema than this program's is migrated when a server starts on it. */
  schema: { name: string; isCurrent: boolean }
  /** The newest synced block; null before the first sync. `timestamp` is in Unix seconds. */
  block: { number: number; timestamp: number } | null
  /** Numbers of rows, by table. */
  rows: Record<(typeof countedTables)[number], number>
}

/** Tables whose rows are counted. The first schema lacks positions. */
const countedTables = ['quotes', 'auctions', 'positions'] as const

/**
 * Opens a copy of the database read-only, and checks all of it. The folder stays unchanged.
 *
 * @throws {ConfigurationError} if the file is missing, empty, damaged, in use, from another program or from a newer
 * version. `shortMessage` says which.
 */
export async function verifyBackup(file: string): Promise<BackupSummary> {
  const refuse = (reason: string, cause?: unknown) => new ConfigurationError(`The backup ${file} ${reason}.`, { cause })
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) throw refuse('does not exist')
  if (!stats.isFile()) throw refuse('is not a file')
  if (stats.size === 0) throw refuse('is empty')
  const extra = [`${file}-wal`, `${file}-shm`]
  if (extra.some((path) => existsSync(path))) {
    throw refuse('is open in a program, or a copy of an open database; copy it with "firmquote-server backup"')
  }
  const { default: SqliteDatabase } = await import('better-sqlite3')
  try {
    const database = new SqliteDatabase(file, { readonly: true, fileMustExist: true })
    try {
      return summarize(database, refuse)
    } finally {
      database.close()
      // A copy in WAL mode, as older versions made it, gets these files on opening.
      for (const path of extra) rmSync(path, { force: true })
    }
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause
    const { message: reason } = cause as Error
    throw refuse(isDamage(cause) ? `is damaged: ${reason}` : `cannot be read: ${reason}`, cause)
  }
}

function summarize(database: Database, refuse: (reason: string) => ConfigurationError): BackupSummary {
  const list = <Row>(sql: string) => database.prepare<[], Row>(sql).all()
  // Reads every page, and compares each index with its table.
  const [damage] = list<{ integrity_check: string }>('pragma integrity_check(1)')
  if (damage?.integrity_check !== 'ok') throw refuse(`is damaged: ${damage?.integrity_check}`)
  const tables = new Set(list<{ name: string }>('select name from sqlite_master').map(({ name }) => name))
  const rowsOf = <Row>(table: string, columns: string) =>
    tables.has(table) ? list<Row>(`select ${columns} from ${table}`) : []
  const known = Object.keys(migrations)
  const applied = rowsOf<{ name: string }>('kysely_migration', 'name')
    .map(({ name }) => name)
    .sort()
  if (applied[0] !== known[0]) throw refuse('is the database of another program')
  const newer = applied.find((name) => !known.includes(name))
  if (newer !== undefined) throw refuse(`was written by a newer version of the server (migration ${newer})`)
  const identity = Object.fromEntries(
    rowsOf<{ key: string; value: string }>('identity', 'key, value').map(({ key, value }) => [key, value]),
  )
  const { chainId, genesisHash, quoteMarket } = identity
  if (chainId === undefined || genesisHash === undefined || quoteMarket === undefined) {
    throw refuse('has no data: no server has used it')
  }
  const [block] = rowsOf<NonNullable<BackupSummary['block']>>('sync_cursor', 'number, timestamp')
  const name = applied.at(-1) ?? ''
  const count = (table: string) => rowsOf<{ rows: number }>(table, 'count(*) as rows')[0]?.rows ?? 0
  return {
    ...{ chainId, genesisHash, quoteMarket },
    schema: { name, isCurrent: name === known.at(-1) },
    block: block ?? null,
    rows: Object.fromEntries(countedTables.map((table) => [table, count(table)])) as BackupSummary['rows'],
  }
}
