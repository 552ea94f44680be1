/** A server's settings, as read by {@link selectSettings}. */
export type ServerSettings = {
  version: number
  in_recovery: boolean
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  encoding: string
  /** The timeline ID, which increases with each promotion. Zero on a standby. */
  timeline: number
  /** The number of connected standbys, and whether commits wait for one. */
  standbys: number
  waits_for_standby: boolean
}

/**
 * Reads {@link ServerSettings} from a primary or a standby. A running `pg_basebackup` does not count as a standby,
 * because it is temporary and never a failover target.
 */
export const selectSettings = `select
  current_setting('server_version_num')::int as version,
  pg_is_in_recovery() as in_recovery,
  current_setting('fsync') as fsync,
  current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('server_encoding') as encoding,
  case when pg_is_in_recovery() then 0
    else ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int end as timeline,
  (select count(*) from pg_stat_replication where application_name <> 'pg_basebackup') as standbys,
  current_setting('synchronous_standby_names') <> '' as waits_for_standby`

/**
 * Returns why a server is unsuitable for writes, or null if it is suitable.
 *
 * @param newest the newest timeline seen so far. A server on an older timeline is a former primary.
 */
export function unsupportedSetting(settings: ServerSettings, newest: number): string | null {
  const { version, in_recovery, timeline, synchronous_commit: commit } = settings
  if (version < 150_000) return 'It is older than PostgreSQL 15.'
  if (in_recovery) return 'It is a standby, which is read-only.'
  if (timeline < newest) return 'It is a former primary; another server was promoted.'
  if (settings.encoding !== 'UTF8') return `Its encoding is ${settings.encoding}; it must be UTF8.`
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (settings[name] !== 'on')
      return `Its ${name} is ${settings[name]}; it must be on, or a power failure can corrupt the database.`
  }
  if (commit !== 'on' && commit !== 'remote_apply')
    return `Its synchronous_commit is ${commit}; it must be on or remote_apply, or acknowledged quotes can be lost.`
  return null
}

/** Returns why the service must not start with asynchronous standbys, or null if it may start. */
export function asynchronousReason({ standbys, waits_for_standby }: ServerSettings): string | null {
  if (standbys === 0 || waits_for_standby) return null
  return (
    'Commits do not wait for any standby: a failover may lose acknowledged quotes and published results; ' +
    'set synchronous_standby_names, or DATABASE_ASYNC_REPLICAS=true to accept this.'
  )
}

/**
 * Timeouts in milliseconds. A stalled instance can hold row locks for at most `idle`, and other transactions wait for a
 * lock for at most `lock`. A statement is cancelled after `statement`; its caller gives up only after `answer`. A slow
 * statement therefore fails cleanly, and the connection is lost only if the server is unresponsive.
 */
export const limits = { idle: 1_000, lock: 1_400, statement: 1_600, answer: 1_800, connect: 1_000 }

/**
 * Session settings. `synchronous_commit` is set to the checked value, so that a configuration reload cannot change it
 * later. Plans are generic and avoid sequential scans, because new tables grow faster than their statistics are
 * updated. Parallel workers are disabled, because a page has few rows and they would cost more time than they save.
 */
export const prepareSession = `set client_encoding = 'UTF8';
set default_transaction_isolation = 'read committed';
set default_transaction_read_only = off;
set lock_timeout = ${limits.lock};
set statement_timeout = ${limits.statement};
set idle_in_transaction_session_timeout = ${limits.idle};
set tcp_user_timeout = ${limits.answer};
set jit = off;
set enable_seqscan = off;
set max_parallel_workers_per_gather = 0;
set plan_cache_mode = force_generic_plan;
select set_config('synchronous_commit', current_setting('synchronous_commit'), false)`
