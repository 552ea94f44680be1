import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './freePort.ts'
import { plainEnvironment } from './managedProcess.ts'
import { connectPostgres, preparePostgres } from './postgresFolder.ts'

/**
 * A PostgreSQL server shared by all test files in a run. Each test file creates separate databases and cannot stop the
 * server.
 */
export type SharedPostgres = ReturnType<typeof connectPostgres>

const startTimeoutMs = 60_000

/**
 * Returns this test run's PostgreSQL server. The first caller starts it. Jest's global setup sets the folder, and its
 * teardown stops the server.
 *
 * @throws {Error} if PostgreSQL or the folder is missing, or if PostgreSQL does not start.
 */
export async function sharePostgres(): Promise<SharedPostgres> {
  const shared = process.env['FIRMQUOTE_SHARED_FOLDER']
  if (!shared) throw new TypeError('FIRMQUOTE_SHARED_FOLDER is not set; the global setup in jest.config.mjs sets it.')
  const folder = join(shared, 'postgres')
  const isFirst = mkdirSync(`${folder}.lock`, { recursive: true }) !== undefined
  if (isFirst) await start(folder)
  for (const end = Date.now() + startTimeoutMs; ; await sleep(25)) {
    const port = readyPort(folder)
    if (port !== null) return connectPostgres(folder, port)
    if (Date.now() > end) throw new Error(`PostgreSQL failed to start; see ${join(folder, 'log')}.`)
  }
}

/** Starts PostgreSQL so that it outlives this worker. Jest's teardown stops it. */
async function start(folder: string): Promise<void> {
  const { file, args, cwd, as } = await preparePostgres(folder, await freePort(), { max_connections: '400' })
  const log = openSync(join(folder, 'log'), 'a')
  spawn(file, args, { ...as, cwd, env: plainEnvironment, stdio: ['ignore', log, log], detached: true }).unref()
  closeSync(log)
}

/** Reads the port of a PostgreSQL server from its `postmaster.pid`. Returns null until the server accepts connections. */
function readyPort(folder: string): number | null {
  try {
    const [, , , port, , , , status] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    return status?.trim() === 'ready' ? Number(port) : null
  } catch {
    return null
  }
}
