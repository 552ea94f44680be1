import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPostgres } from './findPrograms.ts'
import { freePort, type OwnProcess, startOwnProcess, unprivileged } from './ownProcess.ts'

/** A PostgreSQL of one's own, on 127.0.0.1. */
export type Postgres = {
  /** The address of its database `firmquote`, with the password. */
  url: string
  port: number
  folder: string
  /** Makes an empty database, and gives its address. */
  createDatabase(): Promise<string>
  /** Runs one statement on a database of its own or another one, outside of any pool, and gives the rows. */
  query(text: string, url?: string): Promise<Record<string, unknown>[]>
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
const user = 'firmquote'

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
  const passwordFile = join(folder, 'password')
  const port = options.port ?? (await freePort())
  mkdirSync(folder, { recursive: true })
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid)
  chmodSync(folder, 0o700)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 })
    if (as.uid !== undefined && as.gid !== undefined) chownSync(passwordFile, as.uid, as.gid)
    const args = ['-D', data, '-U', user, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
    await promisify(execFile)(join(programs, 'initdb'), [...args, '--locale=C', '--no-sync'], {
      ...as,
      cwd: folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    })
  }
  const password = readFileSync(passwordFile, 'utf8')
  const urlOf = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  let running: OwnProcess | null = null

  const query: Postgres['query'] = async (text, url = urlOf('postgres')) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

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
  const exists = await query(`select 1 from pg_database where datname = '${user}'`)
  if (exists.length === 0) await query(`create database ${user}`)
  return {
    url: urlOf(user),
    port,
    folder,
    query,
    async createDatabase() {
      const name = `db_${randomBytes(6).toString('hex')}`
      await query(`create database ${name}`)
      return urlOf(name)
    },
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
