import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'
import { systemClock } from '@firmquote/core'
import { afterAll, beforeAll, describe, expect } from '@jest/globals'
import type { Store } from '../../ports/store.ts'
import { describeStoreContract } from '../storeContract.testing.ts'
import { createPostgresStore, type PostgresStore, type PostgresStoreOptions } from './postgresStore.ts'

const log = { info() {}, warn() {} }
const given = findPostgres() ? describe : describe.skip

given('createPostgresStore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-postgres-'))
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres({ folder })
  }, 60_000)
  afterAll(async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }, 60_000)

  const open = (options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> =>
    createPostgresStore({ url: postgres.url, clock: systemClock, log, goesBy: 'caller', ...options })

  // One store serves test after test: opening a database for each would take a minute.
  let kept: PostgresStore | null = null
  const create = async () => {
    kept ??= await open({ pruneEvery: 1 })
    return kept
  }
  const release = async (store: Store) => {
    await store.ping().catch(() => {
      kept = null
    })
    await emptyTables(postgres)
  }
  afterAll(() => kept?.close())
  describeStoreContract('PostgreSQL', create, { histories: 150, release, forgets: true, isShared: true })
})

/** Deletes every row that is not of the schema's history. */
async function emptyTables(postgres: Postgres): Promise<void> {
  const tables = await postgres.query(
    `select tablename as name from pg_tables
     where schemaname = 'public' and tablename not like 'kysely%' and tablename <> 'sync_lock'`,
    postgres.url,
  )
  expect(tables.length).toBeGreaterThanOrEqual(16)
  // Deleting is faster than truncating where there are some rows.
  await postgres.query(
    `set session_replication_role = replica; ${tables.map(({ name }) => `delete from "${String(name)}"`).join(';')}`,
    postgres.url,
  )
}
