import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { type OwnProcess, startOwnProcess, unprivileged } from './ownProcess.ts'
import { connectPostgres, makePostgresFolder, type PostgresAddress } from './postgresFolder.ts'

/** A PostgreSQL of one's own, on 127.0.0.1. */
export type Postgres = Omit<PostgresAddress, 'urlOf'> & {
  /** The address of its database `firmquote`, with the password. */
  url: string
  folder: string
  /** The process that runs now. */
  process(): OwnProcess
  /** Starts it again on the same folder and port, after it was stopped or killed. */
  start(): Promise<void>
  /** `fast` breaks off what is under way; `immediate` is what a crash does. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
}

/** How it is started. */
export type PostgresOptions = {
  /** A folder that is its own; made if need be. One that has a database already is started as it is. */
  folder: string
  port?: number
  /** Further lines of its configuration: `{ max_connections: '50' }`. */
  settings?: Record<string, string>
  programs?: string
}

const startLimitMs = 30_000
const database = 'firmquote'

/**
 * Starts PostgreSQL on a folder, with a password of its own and every setting that durability needs as it comes: `fsync`,
 * `full_page_writes` and `synchronous_commit` on.
 *
 * @throws {Error} when there is no PostgreSQL, or it does not start; the message has what it wrote.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { folder, settings = {} } = options
  const programs = options.programs ?? findPostgres()
  if (!programs) throw new Error('There is no PostgreSQL 15 or later on this machine.')
  const as = unprivileged()
  const data = join(folder, 'data')
  const port = options.port ?? (await freePort())
  await makePostgresFolder(folder, programs, as)
  const { urlOf, query, createDatabase } = connectPostgres(folder, port)
  let running: OwnProcess | null = null

  const start = async () => {
    const given = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings }
    const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const own = startOwnProcess(join(programs, 'postgres'), ['-D', data, ...flags], as, folder)
    running = own
    let hasEnded = false
    void own.ended.then(() => {
      hasEnded = true
    })
    for (const end = Date.now() + startLimitMs; ; await sleep(50)) {
      if (hasEnded || Date.now() > end) throw new Error(`PostgreSQL has not started:\n${own.output()}`)
      const answers = await query('select 1').catch(() => null)
      if (answers) break
    }
  }

  await start()
  const exists = await query(`select 1 from pg_database where datname = '${database}'`)
  if (exists.length === 0) await query(`create database ${database}`)
  return {
    url: urlOf(database),
    port,
    folder,
    query,
    createDatabase,
    process() {
      if (!running) throw new TypeError('PostgreSQL does not run.')
      return running
    },
    start,
    async stop(mode = 'fast') {
      await running?.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
      running = null
    },
  }
}
