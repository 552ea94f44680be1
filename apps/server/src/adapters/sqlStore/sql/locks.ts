// Why: docs/decisions/0045-one-script-two-databases.md
import { sql } from 'kysely'
import { prepareForPostgres } from './preparedQuery.ts'

// Locks between concurrent writers. SQLite has a single writer and needs none.

/**
 * Serializes cursor moves and status writes, so that `seq` follows commit order. It must be the first lock of a transaction: a script that requests
 * it later is restarted with it.
 */
export const lockSync = prepareForPostgres((on) => ({
  compile: () => sql`select id from sync_lock where id = 1 for update`.compile(on),
}))

/** The same without waiting: returns no row if another transaction has the lock. */
export const tryLockSync = prepareForPostgres((on) => ({
  compile: () => sql`select id from sync_lock where id = 1 for update skip locked`.compile(on),
}))

/** A unique pair of keys for an advisory lock. */
const endsLock = sql.raw('1179994709, 1')

/**
 * Shared lock of transactions that add quotes, acquired before an auction is locked. Either the transaction sees an event that ends the quote, or the
 * event's writer waits and sees the quote.
 */
export const lockEndsShared = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock_shared(${endsLock})`.compile(on),
}))

/** Waits for all transactions that are adding quotes, and blocks new ones until the events are committed. */
export const lockEndsExclusive = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock(${endsLock})`.compile(on),
}))
