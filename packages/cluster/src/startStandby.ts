import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makePostgresFolder, runPostgresProgram } from './postgresFolder.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'

/**
 * Starts a standby of a PostgreSQL, for whose disk every commit waits from then on.
 *
 * @param folder its own; made if need be.
 * @param port where it listens; by default a free one.
 * @throws {Error} when the primary cannot be copied, or the copy does not start.
 */
export async function startStandby(primary: Postgres, folder: string, port?: number): Promise<Postgres> {
  makePostgresFolder(folder, readFileSync(join(primary.folder, 'password'), 'utf8'))
  const copied = ['-d', primary.url, '-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await runPostgresProgram('pg_basebackup', copied, folder)
  const standby = await startPostgres({ folder, port })
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  while ((await primary.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0)
    await sleep(20)
  return standby
}

/** Makes a standby the primary, and waits until it takes writes. The old primary must have been stopped. */
export async function promoteStandby({ folder }: Postgres): Promise<void> {
  await runPostgresProgram('pg_ctl', ['promote', '-D', join(folder, 'data')], folder)
}
