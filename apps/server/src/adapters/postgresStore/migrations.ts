import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { tables } from './migrations/001_tables.ts'
import { quotasAndPresence } from './migrations/002_quotas_and_presence.ts'

/** In order; one that has been released is never changed. */
export const migrations: Record<string, Migration> = {
  '001_tables': { up: (db: Kysely<unknown>) => run(db, tables) },
  '002_quotas_and_presence': { up: (db: Kysely<unknown>) => run(db, quotasAndPresence) },
}

/** Several statements at once, in the transaction of the migration. */
async function run(db: Kysely<unknown>, text: string): Promise<void> {
  await sql.raw(text).execute(db)
}
