import { execFileSync } from 'node:child_process'
import { copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findPostgres } from '@firmquote/cluster/findPrograms'
import { type Postgres, startPostgres } from '@firmquote/cluster/startPostgres'

/** Starts a standby of a PostgreSQL, for whose disk every commit waits from then on. */
export async function startStandby(primary: Postgres, folder: string): Promise<Postgres> {
  const data = join(folder, 'data')
  const args = ['-d', primary.url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']
  execFileSync(join(findPostgres() ?? '', 'pg_basebackup'), args, { stdio: 'pipe' })
  copyFileSync(join(primary.folder, 'password'), join(folder, 'password'))
  const { uid, gid } = statSync(join(primary.folder, 'data'))
  execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
  const standby = await startPostgres({ folder })
  await primary.query(`alter system set synchronous_standby_names = '*'`)
  await primary.query('select pg_reload_conf()')
  while ((await primary.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length === 0);
  return standby
}
