import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { RunAs } from './ownProcess.ts'

/** Where a PostgreSQL on 127.0.0.1 is found. */
export type PostgresAddress = {
  port: number
  /** The address of a database, with the password. */
  urlOf(database: string): string
  /** Makes a database, empty or the same as another one that nobody is connected to, and gives its address. */
  createDatabase(like?: string): Promise<string>
  /** Runs one statement on the database `postgres` or another one, outside of any pool, and gives the rows. */
  query(text: string, url?: string): Promise<Record<string, unknown>[]>
}

const user = 'firmquote'

/** Makes a folder in which PostgreSQL can be started, unless it is one already: UTF-8, and a password of its own. */
export async function makePostgresFolder(folder: string, programs: string, as: RunAs): Promise<void> {
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  mkdirSync(folder, { recursive: true })
  const give = (path: string) => {
    if (as.uid !== undefined && as.gid !== undefined) chownSync(path, as.uid, as.gid)
  }
  give(folder)
  chmodSync(folder, 0o700)
  if (existsSync(join(data, 'PG_VERSION'))) return
  writeFileSync(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 })
  give(passwordFile)
  const args = ['-D', data, '-U', user, '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8']
  await promisify(execFile)(join(programs, 'initdb'), [...args, '--locale=C', '--no-sync'], {
    ...as,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  })
}

/** Says where the PostgreSQL of a folder is found. */
export function connectPostgres(folder: string, port: number): PostgresAddress {
  const password = readFileSync(join(folder, 'password'), 'utf8')
  const urlOf = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  const query: PostgresAddress['query'] = async (text, url = urlOf('postgres')) => {
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
    async createDatabase(like) {
      const name = `db_${randomBytes(6).toString('hex')}`
      await query(`create database ${name}${like === undefined ? '' : ` template ${new URL(like).pathname.slice(1)}`}`)
      return urlOf(name)
    },
  }
}
