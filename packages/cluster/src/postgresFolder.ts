import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPostgres } from './findPrograms.ts'
import { chownUnprivileged, type ProgramOptions, plainEnvironment, unprivilegedUser } from './managedProcess.ts'

const user = 'firmquote'

/** Creates a PostgreSQL server's folder and password file unless they exist. Default password: random. */
export function createPostgresFolder(folder: string, password = randomBytes(16).toString('hex')): void {
  const passwordFile = join(folder, 'password')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, password, { mode: 0o600 })
  chownUnprivileged(folder, passwordFile)
  chmodSync(folder, 0o700)
}

/** Runs a PostgreSQL program as the unprivileged user and waits for it to exit. */
export async function runPostgresProgram(
  name: string,
  args: readonly string[],
  folder: string,
  programs = findPostgres() ?? '',
): Promise<void> {
  await promisify(execFile)(join(programs, name), args, { ...unprivilegedUser(), cwd: folder, env: plainEnvironment })
}

/**
 * Prepares a folder for starting PostgreSQL. In an empty folder, creates an empty UTF-8 database cluster and a password
 * for it.
 *
 * @param programs folder of PostgreSQL's programs. Default: the installed ones.
 * @throws {Error} if PostgreSQL is not installed.
 */
export async function preparePostgres(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  programs = findPostgres(),
): Promise<ProgramOptions> {
  if (!programs) throw new Error('PostgreSQL 15 or later is not installed.')
  createPostgresFolder(folder)
  const data = join(folder, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const access = ['-U', user, '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`]
    const args = ['-D', data, ...access, '-E', 'UTF8', '--locale=C', '--no-sync']
    await runPostgresProgram('initdb', args, folder, programs)
  }
  const given = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings }
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return { file: join(programs, 'postgres'), args: ['-D', data, ...flags], cwd: folder, as: unprivilegedUser() }
}

/** Returns the URLs and query functions for a folder's PostgreSQL server. */
export function connectPostgres(folder: string, port: number) {
  const password = readFileSync(join(folder, 'password'), 'utf8')
  /** Returns a database's URL, including the password. */
  const urlOf = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  /** Runs one statement on a separate connection and returns its rows. Default database: `postgres`. */
  const query = async (text: string, url = urlOf('postgres')): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  return {
    port,
    urlOf,
    query,
    /**
     * Creates a database and returns its URL. The database is empty, or a copy of `like`, which must have no open
     * connections.
     */
    async createDatabase(like?: string): Promise<string> {
      const name = `db_${randomBytes(6).toString('hex')}`
      await query(`create database ${name}${like === undefined ? '' : ` template ${new URL(like).pathname.slice(1)}`}`)
      return urlOf(name)
    },
  }
}
