/** What a server says of itself, by {@link selectSettings}. */
export type ServerSettings = {
  version: number
  in_recovery: boolean
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  encoding: string
  /** Grows by one with each promotion; 0 of a standby. */
  timeline: number
  /** How many others copy from it, and whether a commit waits for any of them. */
  standbys: number
  waits_for_standby: boolean
}

/**
 * Reads {@link ServerSettings}. That of a standby are read as well as those of a primary. What makes a base backup is no
 * standby: it ends by itself, and nobody fails over to it.
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
 * Why nothing may be written to a server; null when it keeps what it has committed.
 *
 * @param newest the newest timeline that was seen so far: an older one is that of a primary that was replaced.
 */
export function unsupportedSetting(settings: ServerSettings, newest: number): string | null {
  const { version, in_recovery, timeline, synchronous_commit: commit } = settings
  if (version < 150_000) return 'It is older than PostgreSQL 15.'
  if (in_recovery) return 'It is a standby, which cannot be written to.'
  if (timeline < newest) return 'It is an old primary, which another server has replaced.'
  if (settings.encoding !== 'UTF8') return `Its encoding is ${settings.encoding}; it must be UTF8.`
  for (const name of ['fsync', 'full_page_writes'] as const) {
    if (settings[name] !== 'on')
      return `Its ${name} is ${settings[name]}; without it a power cut can destroy everything.`
  }
  if (commit !== 'on' && commit !== 'remote_apply')
    return `Its synchronous_commit is ${commit}; it must be on or remote_apply, or an acknowledged quote can be lost.`
  return null
}

/** Why a service may not start on a server whose standbys no commit waits for; null when it may. */
export function asynchronousReason({ standbys, waits_for_standby }: ServerSettings): string | null {
  if (standbys === 0 || waits_for_standby) return null
  return (
    'Commits do not wait for any of its standbys: after a failover to one, quotes that were acknowledged and closes that were ' +
    'told in the last moments before can be missing; set synchronous_standby_names, or DATABASE_ASYNC_REPLICAS=true to accept it.'
  )
}

/**
 * How long, in milliseconds, anything may take. An instance that stops within a transaction holds its rows for `idle` at most;
 * who waits for them goes on waiting that long (`lock`); a statement ends before its caller gives up (`statement`, `answer`), so
 * that what is slow is refused in order, and only a server that does not answer costs the connection.
 */
export const limits = { idle: 1_000, lock: 1_400, statement: 1_600, answer: 1_800, connect: 1_000 }

/**
 * What every session sets. `synchronous_commit` stays what was checked, whatever the server reads from its files later. A plan is
 * made once for all values, and never reads a whole table: tables grow from nothing faster than their statistics follow. Nor does it
 * start workers, which cost more than the few rows of a page.
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
