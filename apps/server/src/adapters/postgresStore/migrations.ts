import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { tables } from './migrations/001_tables.ts'
import { quotasAndPresence } from './migrations/002_quotas_and_presence.ts'
import { openQuotes } from './migrations/003_open_quotes.ts'
import { quotesOfTakers } from './migrations/004_quotes_of_takers.ts'
import { rateHistory } from './migrations/005_rate_history.ts'
import { daysOfFills } from './migrations/006_days_of_fills.ts'
import { pricesOfDays } from './migrations/007_prices_of_days.ts'
import { quotesByPrice } from './migrations/008_quotes_by_price.ts'
import { groupClock } from './migrations/009_group_clock.ts'
import { controls } from './migrations/010_controls.ts'

/** Migrations in order. A released migration never changes. */
export const migrations: Record<string, Migration> = {
  '001_tables': { up: (db: Kysely<unknown>) => run(db, tables) },
  '002_quotas_and_presence': { up: (db: Kysely<unknown>) => run(db, quotasAndPresence) },
  '003_open_quotes': { up: (db: Kysely<unknown>) => run(db, openQuotes) },
  '004_quotes_of_takers': { up: (db: Kysely<unknown>) => run(db, quotesOfTakers) },
  '005_rate_history': { up: (db: Kysely<unknown>) => run(db, rateHistory) },
  '006_days_of_fills': { up: (db: Kysely<unknown>) => run(db, daysOfFills) },
  '007_prices_of_days': { up: (db: Kysely<unknown>) => run(db, pricesOfDays) },
  '008_quotes_by_price': { up: (db: Kysely<unknown>) => run(db, quotesByPrice) },
  '009_group_clock': { up: (db: Kysely<unknown>) => run(db, groupClock) },
  '010_controls': { up: (db: Kysely<unknown>) => run(db, controls) },
}

/** Runs several statements within the migration's transaction. */
async function run(db: Kysely<unknown>, text: string): Promise<void> {
  await sql.raw(text).execute(db)
}
