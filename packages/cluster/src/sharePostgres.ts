import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './freePort.ts'
import { plainEnvironment } from './ownProcess.ts'
import { connectPostgres, preparePostgres } from './postgresFolder.ts'

/** A PostgreSQL that the test files of one run share; each makes databases of its own. It cannot be stopped by one of them. */
export type SharedPostgres = ReturnType<typeof connectPostgres>

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
  const isFirst = mkdirSync(`${folder}.lock`, { recursive: true }) !== undefined
  if (isFirst) await start(folder)
  for (const end = Date.now() + startLimitMs; ; await sleep(25)) {
    const port = readyPort(folder)
    if (port !== null) return connectPostgres(folder, port)
    if (Date.now() > end)
      throw new Error(`The PostgreSQL of this run has not started; ${join(folder, 'log')} says why.`)
  }
}

/** Starts it for longer than the worker lives that starts it: jest's teardown ends it. */
async function start(folder: string): Promise<void> {
  const { file, args, cwd, as } = await preparePostgres(folder, await freePort(), { max_connections: '400' })
  const log = openSync(join(folder, 'log'), 'a')
  spawn(file, args, { ...as, cwd, env: plainEnvironment, stdio: ['ignore', log, log], detached: true }).unref()
  closeSync(log)
}

/** The port of a PostgreSQL that takes connections, as its `postmaster.pid` says; null before. */
function readyPort(folder: string): number | null {
  try {
    const [, , , port, , , , status] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')
    return status?.trim() === 'ready' ? Number(port) : null
  } catch {
    return null
  }
}
