// Why: docs/decisions/0051-migration-and-upgrades.md
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type pg from 'pg'
import { ConfigurationError } from '../../ports/errors.ts'
import { connectOnce } from './connectOnce.ts'
import { describeFailure, locationOf } from './startFailure.ts'

/** Options of {@link migrate}. */
export type MigrateOptions = {
  /** Migrations in order. A released migration never changes. */
  migrations: Record<string, Migration>
  /** Maximum number of attempts if tables are locked. Default: 20. */
  attempts?: number
}

/** Arbitrary key for an advisory lock. */
const migrationLock = 7_301_646_128_054_921
/**
 * A schema change waits for running transactions, and later transactions queue behind it. A migration is therefore
 * cancelled and retried if it waits longer than this many milliseconds, so that running instances are not blocked for
 * longer.
 */
const lockTimeoutMs = 1_000
const pauseMs = 500
const lockNotAvailable = '55P03'

/**
 * Migrates a database in a single transaction, so that an interruption changes nothing. Concurrent starts are
 * serialized; only the first one migrates the database.
 *
 * A server can also run on a database with newer migrations, as long as they only add to the schema (expand). A
 * migration that removes something (contract) writes `oldest_program` into `identity`: the last migration that a server
 * must include to run.
 *
 * @throws {ConfigurationError} if the migration fails, or if the database requires a newer server.
 */
export async function migrate(url: string, { migrations, attempts = 20 }: MigrateOptions): Promise<void> {
  const client = await connectOnce(url)
  const db = new Kysely<FactTables>({ dialect: new LockedPostgresDialect({ pool: poolOf(client) }) })
  try {
    for (let left = attempts; ; left -= 1) {
      try {
        await db.transaction().execute((trx) => migrateLocked(trx, migrations, locationOf(url)))
        return
      } catch (error) {
        if (codeOf(error) !== lockNotAvailable) throw error
        if (left <= 1) {
          throw new ConfigurationError(
            `The database ${locationOf(url)} cannot be migrated while its tables are in use; end long-running queries and transactions on it.`,
            { cause: error },
          )
        }
        await sleep(pauseMs)
      }
    }
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw describeFailure(error, url)
  } finally {
    await db.destroy()
  }
}

type FactTables = { identity: { key: string; value: string }; kysely_migration: { name: string } }

async function migrateLocked(
  db: Kysely<FactTables>,
  migrations: Record<string, Migration>,
  location: string,
): Promise<void> {
  // The lock is released when the transaction ends.
  await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(db)
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(db)
  const { executed, oldest } = await readState(db)
  const problem = findProblem(Object.keys(migrations), executed, oldest)
  if (problem) throw new ConfigurationError(`The database ${location} ${problem}.`)
  if (executed.some((name) => !(name in migrations))) return
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error === undefined) return
  if (codeOf(error) === lockNotAvailable) throw error
  throw new ConfigurationError(`The database ${location} cannot be migrated: ${messageOf(error)}.`, {
    cause: error,
  })
}

/**
 * Returns why a server with the `known` migrations must not use a database with the `executed` migrations, or null if
 * the server may use it.
 *
 * @param oldest the last migration that a server must include; null if there is none.
 */
export function findProblem(
  known: readonly string[],
  executed: readonly string[],
  oldest: string | null,
): string | null {
  const later = executed.filter((name) => !known.includes(name))
  const [unknown] = later
  if (unknown === undefined) return null
  if (oldest !== null && !known.includes(oldest)) {
    return `requires a newer version of the server (migration ${oldest}); run that version`
  }
  const missing = known.find((name) => !executed.includes(name))
  if (missing === undefined) return null
  return `has migration ${unknown}, which this version of the server does not know, but lacks ${missing}; run a version that has both`
}

async function readState(db: Kysely<FactTables>): Promise<{ executed: string[]; oldest: string | null }> {
  const { rows } = await sql<{ has_tables: boolean }>`select to_regclass('kysely_migration') is not null
    and to_regclass('identity') is not null as has_tables`.execute(db)
  if (!rows[0]?.has_tables) return { executed: [], oldest: null }
  const executed = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  const fact = await db.selectFrom('identity').select('value').where('key', '=', 'oldest_program').executeTakeFirst()
  return { executed: executed.map(({ name }) => name), oldest: fact?.value ?? null }
}

/**
 * Disables Kysely's lock, which belongs to the session and has its own timeout. The transaction's lock covers the whole
 * migration.
 */
class LockedPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LockedPostgresAdapter()
  }
}

class LockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** A pool with a single connection, in the form that Kysely expects. */
function poolOf(client: pg.Client): PostgresPool {
  return {
    connect: async () => Object.assign(client, { release() {} }) as unknown as PostgresPoolClient,
    end: () => client.end().catch(() => {}),
    options: {},
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
