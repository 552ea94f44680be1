import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresFolder, runPostgresProgram } from './postgresFolder.ts'
import { type Postgres, startPostgres } from './startPostgres.ts'

/**
 * Starts a synchronous standby. Every later commit on the primary waits until the standby has written it to disk.
 *
 * @param folder data folder. Created if necessary.
 * @param port default: a free port.
 * @throws {Error} if the base backup fails or the standby does not start.
 */
export async function startStandby(primary: Postgres, folder: string, port?: number): Promise<Postgres> {
  createPostgresFolder(folder, readFileSync(join(primary.folder, 'password'), 'utf8'))
  const copied = ['-d', primary.url, '-D', join(folder, 'data'), '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  await runPostgresProgram('pg_basebackup', copied, folder)
  const standby = await startPostgres({ folder, port })
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  while ((await primary.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0)
    await sleep(20)
  return standby
}

/** Promotes a standby and waits until it accepts writes. The old primary must be stopped. */
export async function promoteStandby({ folder }: Postgres): Promise<void> {
  await runPostgresProgram('pg_ctl', ['promote', '-D', join(folder, 'data')], folder)
}
