import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findPostgres } from './findPrograms.ts'
import { giveAway, type ProgramOptions, plainEnvironment, unprivileged } from './ownProcess.ts'

const user = 'firmquote'

/** Makes the folder of a PostgreSQL, unless it is one already, with its password, which by default is a new one. */
export function makePostgresFolder(folder: string, password = randomBytes(16).toString('hex')): void {
  const passwordFile = join(folder, 'password')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, password, { mode: 0o600 })
  giveAway(folder, passwordFile)
  chmodSync(folder, 0o700)
}

/** Runs one of PostgreSQL's programs to its end, as the user that PostgreSQL runs as. */
export async function runPostgresProgram(
  name: string,
  args: readonly string[],
  folder: string,
  programs = findPostgres() ?? '',
): Promise<void> {
  await promisify(execFile)(join(programs, name), args, { ...unprivileged(), cwd: folder, env: plainEnvironment })
}

/**
 * How PostgreSQL is started on a folder, which gets an empty database if it has none: UTF-8, and a password of its own.
 *
 * @param programs the folder of PostgreSQL's programs; by default the machine's.
 * @throws {Error} when there is no PostgreSQL.
 */
export async function preparePostgres(
  folder: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  programs = findPostgres(),
): Promise<ProgramOptions> {
  if (!programs) throw new Error('There is no PostgreSQL 15 or later on this machine.')
  makePostgresFolder(folder)
  const data = join(folder, 'data')
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const access = ['-U', user, '-A', 'scram-sha-256', `--pwfile=${join(folder, 'password')}`]
    const args = ['-D', data, ...access, '-E', 'UTF8', '--locale=C', '--no-sync']
    await runPostgresProgram('initdb', args, folder, programs)
  }
  const given = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port), ...settings }
  const flags = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return { file: join(programs, 'postgres'), args: ['-D', data, ...flags], cwd: folder, as: unprivileged() }
}

/** Says where the PostgreSQL of a folder is found. */
export function connectPostgres(folder: string, port: number) {
  const password = readFileSync(join(folder, 'password'), 'utf8')
  /** The address of a database, with the password. */
  const urlOf = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  /** Runs one statement on the database `postgres` or another one, outside of any pool, and gives the rows. */
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
    /** Makes a database, empty or the same as another one that nobody is connected to, and gives its address. */
    async createDatabase(like?: string): Promise<string> {
      const name = `db_${randomBytes(6).toString('hex')}`
      await query(`create database ${name}${like === undefined ? '' : ` template ${new URL(like).pathname.slice(1)}`}`)
      return urlOf(name)
    },
  }
}
