// Why: docs/decisions/0045-one-script-two-databases.md
import { sql } from 'kysely'
import { prepareForPostgres } from './preparedQuery.ts'

// Locks between concurrent writers. SQLite has a single writer and needs no locks.

/**
 * Serializes cursor moves and status writes, so that `seq` follows commit order. This must be a transaction's first
 * lock: a script that requests it later is restarted and acquires it first.
 */
export const lockSync = prepareForPostgres((on) => ({
  compile: () => sql`select id from sync_lock where id = 1 for update`.compile(on),
}))

/** Like {@link lockSync}, but returns no row instead of waiting if another transaction holds the lock. */
export const tryLockSync = prepareForPostgres((on) => ({
  compile: () => sql`select id from sync_lock where id = 1 for update skip locked`.compile(on),
}))

/** Each advisory lock's pair of keys. */
const endsLock = sql.raw('1179994709, 1')
const controlsLock = sql.raw('1179994709, 2')

/** Serializes changes of controls, so that IDs of audit entries follow commit order. */
export const lockControls = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock(${controlsLock})`.compile(on),
}))

/**
 * Shared lock for transactions that add quotes, acquired before locking an auction. If an event ends the quote, the
 * transaction sees the event, or the event's writer waits and sees the quote.
 */
export const lockEndsShared = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock_shared(${endsLock})`.compile(on),
}))

/** Waits for all transactions that are adding quotes, and blocks new ones until the events are committed. */
export const lockEndsExclusive = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock(${endsLock})`.compile(on),
}))
