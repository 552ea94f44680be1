import { freePort } from './freePort.ts'
import { createService } from './ownProcess.ts'
import { connectPostgres, preparePostgres } from './postgresFolder.ts'

/** A PostgreSQL on 127.0.0.1, which starts again on the same folder and port. */
export type Postgres = Awaited<ReturnType<typeof startPostgres>>

/** How it is started. */
export type PostgresOptions = {
  /** A folder that is its own; made if need be. One that has a database already is started as it is. */
  folder: string
  /** By default a free one. */
  port?: number | undefined
  /** Further lines of its configuration: `{ max_connections: '50' }`. */
  settings?: Record<string, string>
  programs?: string | undefined
}

const database = 'firmquote'

/**
 * Starts PostgreSQL on a folder, with a password of its own and every setting that durability needs as it comes: `fsync`,
 * `full_page_writes` and `synchronous_commit` on.
 *
 * @throws {Error} when there is no PostgreSQL, or it does not start; the message has what it wrote.
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
    /** The address of its database `firmquote`, with the password. */
    url: urlOf(database),
    folder,
    /** `fast` breaks off what is under way; `immediate` is what a crash does. */
    stop: (mode: 'fast' | 'immediate' = 'fast') => service.process().kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT'),
  }
}
