// Why: docs/decisions/0051-migration-and-upgrades.md
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type pg from 'pg'
import { ConfigurationError } from '../../ports/errors.ts'
import { connectOnce } from './connectOnce.ts'
import { describeFailure, placeOf } from './startFailure.ts'

/** How a database is brought up to date. */
export type MigrateOptions = {
  /** In order; one that has been released is never changed. */
  migrations: Record<string, Migration>
  /** How often a change of a table is tried again that others are reading and writing. */
  attempts?: number
}

/** Any number that nothing else in the database locks. */
const migrationLock = 7_301_646_128_054_921
/**
 * A change of a table waits for those who use it, and all that come later wait behind it. So it gives up after this long, as an
 * instance that serves would notice more, and is tried again.
 */
const lockTimeoutMs = 1_000
const pauseMs = 500
const lockNotAvailable = '55P03'

/**
 * Brings a database up to date in one transaction: one that is cut short in it is as it was. Instances that start at once do so
 * one after the other, and all but the first find nothing to do.
 *
 * A program also runs on a database with migrations of a later one: those only add to what is there (expand), until one that takes
 * something away (contract) writes into `identity` as `oldest_program` the last migration that a program must know to go on.
 *
 * @throws {ConfigurationError} when the database cannot be brought up to date, or is of a later program that does not allow this one.
 */
export async function migrate(url: string, { migrations, attempts = 20 }: MigrateOptions): Promise<void> {
  const client = await connectOnce(url)
  const db = new Kysely<FactTables>({ dialect: new LockedPostgresDialect({ pool: poolOf(client) }) })
  try {
    for (let left = attempts; ; left -= 1) {
      try {
        await db.transaction().execute((trx) => migrateLocked(trx, migrations, placeOf(url)))
        return
      } catch (error) {
        if (codeOf(error) !== lockNotAvailable) throw error
        if (left <= 1) {
          throw new ConfigurationError(
            `The database ${placeOf(url)} cannot be brought up to date while its tables are in use; end long queries and transactions on it.`,
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
  place: string,
): Promise<void> {
  // It ends with the transaction, however that ends.
  await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(db)
  await sql`select set_config('lock_timeout', ${String(lockTimeoutMs)}, true)`.execute(db)
  const { executed, oldest } = await readState(db)
  const problem = findProblem(Object.keys(migrations), executed, oldest)
  if (problem) throw new ConfigurationError(`The database ${place} ${problem}.`)
  if (executed.some((name) => !(name in migrations))) return
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error === undefined) return
  if (codeOf(error) === lockNotAvailable) throw error
  throw new ConfigurationError(`The database ${place} cannot be brought up to date: ${messageOf(error)}.`, {
    cause: error,
  })
}

/**
 * Why a program that knows these migrations may not use a database that has executed those; null when it may.
 *
 * @param oldest the last migration that a program must know; null for none.
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
    return `is of a later version of the server (it asks for ${oldest}); run that version`
  }
  const missing = known.find((name) => !executed.includes(name))
  if (missing === undefined) return null
  return `has ${unknown}, which this version of the server does not know, and lacks ${missing}; run the version that has both`
}

async function readState(db: Kysely<FactTables>): Promise<{ executed: string[]; oldest: string | null }> {
  const { rows } = await sql<{ has_tables: boolean }>`select to_regclass('kysely_migration') is not null
    and to_regclass('identity') is not null as has_tables`.execute(db)
  if (!rows[0]?.has_tables) return { executed: [], oldest: null }
  const executed = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  const fact = await db.selectFrom('identity').select('value').where('key', '=', 'oldest_program').executeTakeFirst()
  return { executed: executed.map(({ name }) => name), oldest: fact?.value ?? null }
}

/** Kysely's own lock is of the session, and it would set a timeout of its own: here all of it is under one of the transaction. */
class LockedPostgresDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new LockedPostgresAdapter()
  }
}

class LockedPostgresAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/** What Kysely takes for a pool, of one connection. */
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
