import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { ConfigurationError } from '../../errors.ts'

/** In order; one that has been released is never changed. */
const migrations: Record<string, Migration> = {
  '001_quotes_and_auctions': {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('identity')
        .addColumn('key', 'text', (column) => column.primaryKey().notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .modifyEnd(sql`strict`)
        .execute()

      await db.schema
        .createTable('quotes')
        .addColumn('hash', 'blob', (column) => column.primaryKey().notNull())
        .addColumn('maker', 'blob', (column) => column.notNull())
        .addColumn('taker', 'blob', (column) => column.notNull())
        .addColumn('pool_id', 'blob', (column) => column.notNull())
        .addColumn('series_key', 'blob', (column) => column.notNull())
        .addColumn('notional', 'blob', (column) => column.notNull())
        .addColumn('deadline', 'integer', (column) => column.notNull())
        .addColumn('apr', 'real', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('listed', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'integer', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('seen_at', 'text')
        .modifyEnd(sql`strict`)
        .execute()
      // One index for each order that a list can have, over the quotes that a list can show.
      for (const columns of [
        ['created_at desc', 'hash'],
        ['apr', 'hash'],
        ['deadline', 'hash'],
        ['maker', 'deadline'],
        ['pool_id', 'apr', 'hash'],
        ['series_key', 'apr', 'hash'],
      ]) {
        const name = `quotes_active_${columns.map((column) => column.replace(' desc', '')).join('_')}`
        await sql`create index ${sql.ref(name)} on quotes (${sql.raw(columns.join(', '))}) where listed = 1 and status = 'active'`.execute(
          db,
        )
      }
      // For forgetting the others; a list can never take it for its own.
      await sql`create index quotes_ended_deadline on quotes (deadline) where listed = 1 and status <> 'active'`.execute(
        db,
      )

      await db.schema
        .createTable('auctions')
        .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('rfq_id', 'blob', (column) => column.notNull().unique())
        .addColumn('closed_at', 'integer', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .modifyEnd(sql`strict`)
        .execute()

      await db.schema
        .createTable('auction_quotes')
        .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
        .addColumn('rfq_id', 'blob', (column) => column.notNull())
        .addColumn('public_rfq_id', 'blob', (column) => column.notNull())
        .addColumn('hash', 'blob', (column) => column.notNull().references('quotes.hash'))
        .addColumn('pool_id', 'blob', (column) => column.notNull())
        .addColumn('series_key', 'blob', (column) => column.notNull())
        .addColumn('expiry', 'integer', (column) => column.notNull())
        .addColumn('apr', 'real', (column) => column.notNull())
        .addColumn('observed_at', 'integer', (column) => column.notNull())
        .addUniqueConstraint('auction_quotes_once', ['rfq_id', 'hash'])
        .modifyEnd(sql`strict`)
        .execute()
      for (const columns of [['hash'], ['pool_id', 'seq'], ['series_key', 'seq']] as const) {
        await db.schema
          .createIndex(`auction_quotes_${columns.join('_')}`)
          .on('auction_quotes')
          .columns([...columns])
          .execute()
      }
    },
  },
}

/**
 * Brings a database up to date.
 *
 * @throws {ConfigurationError} when it cannot be, because a newer version has written it for one.
 */
export async function migrate<T>(db: Kysely<T>, file: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  throw new ConfigurationError(
    `The database ${file} cannot be brought up to date; if a newer version has written it, run that version or choose another DATA_DIR.`,
    { cause: error },
  )
}
