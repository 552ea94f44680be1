import { freePort } from './freePort.ts'
import { createService } from './managedProcess.ts'
import { connectPostgres, preparePostgres } from './postgresFolder.ts'

/** A PostgreSQL server on 127.0.0.1. The folder and port persist across restarts. */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** Options for {@link startPostgres}. */
export type PostgresOptions = {
  /** Data folder. Created if necessary. An existing database is kept. */
  folder: string
  /** Default: a free port. */
  port?: number | undefined
  /** Additional configuration parameters, such as `{ max_connections: '50' }`. */
  settings?: Record<string, string>
  programs?: string | undefined
}

const database = 'firmquote'

/**
 * Starts PostgreSQL in a folder with a random password. Durability settings keep their defaults: `fsync`,
 * `full_page_writes` and `synchronous_commit` are on.
 *
 * @throws {Error} if PostgreSQL is not installed or does not start. The message includes its output.
 */
export async function startPostgres({ folder, settings = {}, programs, ...given }: PostgresOptions) {
  const port = given.port ?? (await freePort())
  const program = await preparePostgres(folder, port, settings, programs)
  const address = connectPostgres(folder, port)
  const { query, urlOf } = address
  const service = createService('PostgreSQL', program, async () => (await query('select 1')).length > 0)
  await service.start()
  const exists = await query(`select 1 from pg_database where datname = '${database}'`)
  if (exists.length === 0) await query(`create database ${database}`)
  return {
    ...address,
    ...service,
    /** URL of the database `firmquote`, including the password. */
    url: urlOf(database),
    folder,
    /** Stops PostgreSQL. `fast` rolls back open transactions, and `immediate` simulates a crash. */
    stop: (mode: 'fast' | 'immediate' = 'fast') => service.process().kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
  }
}
