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

/** Two numbers that no other lock of this kind has. */
const endsLock = sql.raw('1179994709, 1')

/**
 * Whatever adds a quote holds this one with all others that do. The events that are looked at afterwards are then either all
 * that will ever end the quote before it shows, or those that wait for it come later and see it.
 */
export const holdEnds = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock_shared(${endsLock})`.compile(on),
}))

/** Waits until all quotes that are being added are there, and lets in no other until the events that may end them are, too. */
export const awaitQuotes = prepareForPostgres((on) => ({
  compile: () => sql`select pg_advisory_xact_lock(${endsLock})`.compile(on),
}))
