import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPostgres } from './findPrograms.ts'
import { freePort } from './freePort.ts'
import { unprivileged } from './ownProcess.ts'
import { connectPostgres, makePostgresFolder, type PostgresAddress } from './postgresFolder.ts'

/** A PostgreSQL that the test files of one run share; each makes databases of its own. It cannot be stopped by one of them. */
export type SharedPostgres = PostgresAddress

const startLimitMs = 60_000

/**
 * Gives the PostgreSQL of this run of tests, which the first one to ask for it starts. Jest's global setup names the folder, and
 * ends the server after the last test.
 *
 * @throws {Error} when there is no PostgreSQL, no such folder, or it does not start.
 */
export async function sharePostgres(): Promise<SharedPostgres> {
  const shared = process.env['FIRMQUOTE_SHARED_FOLDER']
  if (!shared) throw new TypeError('jest.config.mjs names a global setup that sets FIRMQUOTE_SHARED_FOLDER.')
  const folder = join(shared, 'postgres')
  const portFile = join(shared, 'postgres.port')
  if (makes(`${folder}.lock`)) await start(folder, portFile)
  for (const end = Date.now() + startLimitMs; ; await sleep(25)) {
    const port = portIn(portFile)
    if (port !== null) return connectPostgres(folder, port)
    if (Date.now() > end) throw new Error('The PostgreSQL of this run has not started.')
  }
}

async function start(folder: string, portFile: string): Promise<void> {
  const programs = findPostgres()
  if (!programs) throw new Error('There is no PostgreSQL 15 or later on this machine.')
  const as = unprivileged()
  await makePostgresFolder(folder, programs, as)
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: String(port),
    max_connections: '400',
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(join(folder, 'log'), 'a')
  // It outlives the worker that has started it: jest's teardown ends it.
  spawn(join(programs, 'postgres'), ['-D', join(folder, 'data'), ...flags], {
    ...as,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', log, log],
    detached: true,
  }).unref()
  closeSync(log)
  const { query } = connectPostgres(folder, port)
  for (const end = Date.now() + startLimitMs; !(await query('select 1').catch(() => null)); await sleep(25)) {
    if (Date.now() > end) throw new Error(`PostgreSQL has not started:\n${readFileSync(join(folder, 'log'), 'utf8')}`)
  }
  // Whole or not at all: others read it.
  writeFileSync(`${portFile}.new`, String(port))
  renameSync(`${portFile}.new`, portFile)
}

/** Makes a folder; false when it is there. */
function makes(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch {
    return false
  }
}

function portIn(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
