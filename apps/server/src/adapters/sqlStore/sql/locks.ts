// Why: docs/decisions/0045-one-script-two-databases.md
import { sql } from 'kysely'
import { prepareForPostgres } from './preparedQuery.ts'

// What several writers wait for each other by. SQLite has one writer, and needs none of it.

/**
 * Whatever moves the cursor or tells makers something waits for its turn here, so that what was told has its numbers in the order
 * of the commits. It comes before every other lock: a script that asks for it later is begun again with it.
 */
export const lockSync = prepareForPostgres((on) => ({
  compile: () => sql`select id from sync_lock where id = 1 for update`.compile(on),
}))

/** The same without a wait: no row where somebody else has it. */
export const tryLockSync = prepareForPostgres((on) => ({
  compile: () => sql`select id from sync_lock where id = 1 for update skip locked`.compile(on),
}))

/** Two numbers that no other lock of this kind has. */
const endsLock = sql.raw('1179994709, 1')

/**
 * Whatever adds a quote has this together with all others that do, from before it locks an auction until its end. An event
 * that ends the quote is then either seen by what adds it, or waits for it and sees the quote.
 */
export const lockEndsShared = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock_shared(${endsLock})`.compile(on),
}))

/** Waits until all quotes that are being added are there, and lets in no other until the events that may end them are, too. */
export const lockEndsExclusive = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock(${endsLock})`.compile(on),
}))
