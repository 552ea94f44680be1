import { deserializeSignedQuote, type SerializedSignedQuote, toRfqId } from '@firmquote/core'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { priceOf } from '../../domain/rateOrder.ts'
import { publicRfqId } from '../../domain/rfqIds.ts'
import { offersIndex, offersIndexOn } from '../sqlStore/quotes/offerRows.ts'
import { takerIndex } from '../sqlStore/quotes/quotePageQueries.ts'
import { encodeBody, parseBody } from '../sqlStore/quotes/quoteRows.ts'
import { amountBlob, hexOf, idBlob } from '../sqlStore/sql/blobs.ts'
import type { Tables } from '../sqlStore/sql/schema.ts'

/** Migrations in order. A released migration never changes. */
export const migrations: Record<string, Migration> = {
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
      // One index per sort order, over the quotes shown in lists.
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
      // For pruning quotes that are not listed as active; no list can use this index.
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
  '002_chain': {
    async up(db: Kysely<Tables>) {
      // For finding the quotes invalidated by a raised nonce.
      await sql`alter table quotes add column nonce blob not null default x''`.execute(db)
      for (const { hash, body } of await db.selectFrom('quotes').select(['hash', 'body']).execute()) {
        const nonce = amountBlob(BigInt((JSON.parse(body) as SerializedSignedQuote).nonce))
        await db.updateTable('quotes').set({ nonce }).where('hash', '=', hash).execute()
      }
      await db.schema.createIndex('quotes_maker').on('quotes').column('maker').execute()
      // Statuses are now derived from events, which have yet to be synced.
      await db.updateTable('quotes').set({ status: 'active', seen_at: null }).where('status', '<>', 'active').execute()

      await sql`create table sync_cursor (
        id integer primary key not null check (id = 1),
        number integer not null,
        hash blob not null,
        timestamp integer not null
      ) strict`.execute(db)
      await sql`create table blocks (number integer primary key not null, hash blob not null) strict`.execute(db)
      for (const [table, columns] of [
        ['quote_ends', 'hash blob primary key not null, status text not null'],
        ['nonce_raises', 'maker blob not null, nonce blob not null'],
        [
          'pools',
          'pool_id blob primary key not null, loan_token blob not null, adapter blob not null, market blob not null',
        ],
        [
          'series',
          'series_key blob primary key not null, pool_id blob not null, expiry integer not null, cap blob not null',
        ],
        [
          'positions',
          `position_id blob primary key not null, maker blob not null, borrower blob not null, pool_id blob not null,
           series_key blob not null, notional blob not null, cost blob not null, opening_index blob not null`,
        ],
        ['settlements', 'position_id blob primary key not null, to_borrower blob not null, to_maker blob not null'],
      ] as const) {
        await sql`create table ${sql.ref(table)} (
          ${sql.raw(columns)},
          block_number integer not null,
          block_hash blob not null,
          log_index integer not null,
          transaction_hash blob not null,
          unique (block_number, log_index)
        ) strict`.execute(db)
      }
      await sql`create unique index nonce_raises_maker on nonce_raises (maker, nonce)`.execute(db)
      await sql`create index series_pool on series (pool_id, expiry)`.execute(db)
      await sql`create index positions_maker on positions (maker)`.execute(db)
      await sql`create index positions_borrower on positions (borrower)`.execute(db)
    },
  },
  '003_records': {
    async up(db: Kysely<Tables>) {
      // A quote's body now holds its whole record, so that pages can be concatenated from stored texts.
      for (let after: Buffer = Buffer.alloc(0); ; ) {
        const rows = await db
          .selectFrom('quotes')
          .select(['hash', 'apr', 'created_at', 'body'])
          .where('hash', '>', after)
          .orderBy('hash')
          .limit(1_000)
          .execute()
        for (const { hash, apr, created_at: createdAt, body: text } of rows) {
          const quote = deserializeSignedQuote(JSON.parse(text) as SerializedSignedQuote)
          const body = encodeBody({ hash: hexOf(hash), quote, apr, createdAt })
          await db.updateTable('quotes').set({ body }).where('hash', '=', hash).execute()
        }
        const last = rows.at(-1)
        if (!last) return
        after = last.hash
      }
    },
  },
  '004_one_index_of_makers': {
    async up(db: Kysely<Tables>) {
      // Replaces two indexes: a maker's active quotes by deadline, and all of a maker's quotes.
      await sql`create index quotes_of_maker on quotes (maker, listed, status, deadline)`.execute(db)
      await sql`drop index quotes_maker`.execute(db)
      await sql`drop index quotes_active_maker_deadline`.execute(db)
    },
  },
  '005_shorter_indexes': {
    async up(db: Kysely<Tables>) {
      // A new quote changes one page in every index. Smaller entries mean fewer changed pages and fewer reads. The rowid breaks
      // ties, and needs no column. A key's prefix is nearly unique, and queries compare the whole key.
      for (const [old, name, columns] of [
        ['created_at_hash', 'created', 'created_at'],
        ['apr_hash', 'rate', 'apr'],
        ['deadline_hash', 'deadline', 'deadline'],
        ['pool_id_apr_hash', 'pool_rate', 'substr(pool_id, 1, 8), apr'],
        ['series_key_apr_hash', 'series_rate', 'substr(series_key, 1, 8), apr'],
      ] as const) {
        await sql`drop index ${sql.ref(`quotes_active_${old}`)}`.execute(db)
        await sql`create index ${sql.ref(`quotes_by_${name}`)} on quotes (${sql.raw(columns)}) where listed = 1 and status = 'active'`.execute(
          db,
        )
      }
    },
  },
  '006_auctions_from_their_opening': {
    async up(db: Kysely<unknown>) {
      await sql`create table new_auctions (
        id integer primary key autoincrement,
        public_rfq_id blob not null unique,
        rfq_id blob not null unique,
        state text not null check (state in ('open', 'closed')),
        opened_at integer not null,
        closes_at integer not null,
        closed_at integer,
        rejected_count integer,
        interrupted integer,
        last_seq integer not null,
        backers integer not null,
        key_hash blob unique,
        request_hash blob,
        body text not null
      ) strict`.execute(db)
      await sql`create table new_auction_quotes (
        id integer primary key autoincrement,
        auction_id integer not null references new_auctions (id),
        seq integer not null,
        maker blob not null,
        hash blob not null references quotes (hash),
        pool_id blob not null,
        series_key blob not null,
        apr real not null,
        observed_at integer not null,
        arrival integer not null,
        unique (auction_id, maker)
      ) strict`.execute(db)
      await copyAuctions(db)
      await sql`drop table auction_quotes`.execute(db)
      await sql`drop table auctions`.execute(db)
      await sql`alter table new_auctions rename to auctions`.execute(db)
      await sql`alter table new_auction_quotes rename to auction_quotes`.execute(db)
      await sql`create index auctions_open on auctions (closes_at) where state = 'open'`.execute(db)
      await sql`create index auctions_with_key on auctions (opened_at) where key_hash is not null`.execute(db)
      for (const columns of ['hash', 'pool_id, id', 'series_key, id']) {
        const name = `auction_quotes_${columns.replace(', ', '_')}`
        await sql`create index ${sql.ref(name)} on auction_quotes (${sql.raw(columns)})`.execute(db)
      }
      // An auction with quotes but no result was open when its process ended.
      await sql`delete from quotes where listed = 0
        and not exists (select 1 from auction_quotes where auction_quotes.hash = quotes.hash)`.execute(db)
      await sql`create table probes
        (id integer primary key not null check (id = 1), count integer not null, filler blob not null) strict`.execute(
        db,
      )
    },
  },
  '007_offers_by_size': {
    async up(db: Kysely<unknown>) {
      await offersIndexOn('apr, substr(notional, 17)').execute(db)
    },
  },
  '008_unproven_quotes': {
    async up(db: Kysely<unknown>) {
      // Until now, contract makers could not quote in auctions.
      await sql`alter table auction_quotes add column unproven integer not null default 0`.execute(db)
    },
  },
  '009_quote_statuses': {
    async up(db: Kysely<unknown>) {
      // No updates are sent for quotes that ended earlier. Sequence numbers start with the quotes that end later.
      await sql`alter table quotes add column told integer not null default 0`.execute(db)
      await sql`create table status_counts (maker blob primary key not null, last_seq integer not null) strict`.execute(
        db,
      )
      await sql`create table quote_statuses (
        id integer primary key autoincrement,
        maker blob not null,
        seq integer not null,
        hash blob not null,
        status text not null,
        final integer not null,
        unsettled integer not null,
        block_number integer not null,
        transaction_hash blob,
        taker blob,
        notional blob,
        cost blob,
        position_id blob,
        told_at integer not null,
        unique (maker, seq)
      ) strict`.execute(db)
      await sql`create unique index quote_statuses_unsettled_hash on quote_statuses (hash) where unsettled = 1`.execute(
        db,
      )
      await sql`create index quote_statuses_unsettled_block on quote_statuses (block_number) where unsettled = 1`.execute(
        db,
      )
    },
  },
  '010_quotes_of_makers': {
    async up(db: Kysely<unknown>) {
      // A maker's quotes and auctions, newest first. An address's prefix is nearly unique.
      await sql`create index quotes_by_maker on quotes (substr(maker, 1, 8), created_at)`.execute(db)
      await sql`create index auction_quotes_maker on auction_quotes (maker, auction_id)`.execute(db)
    },
  },
  '011_pages_of_positions': {
    async up(db: Kysely<unknown>) {
      // Finds an account's open positions among any number of settled ones, and reads pages of either kind without sorting.
      await sql`alter table positions add column settled integer not null default 0`.execute(db)
      await sql`update positions set settled = 1 where position_id in (select position_id from settlements)`.execute(db)
      await sql`create index positions_of_maker on positions (maker, settled, position_id)`.execute(db)
      await sql`create index positions_of_borrower on positions (borrower, settled, position_id)`.execute(db)
      await sql`create index positions_of_series on positions (series_key, position_id)`.execute(db)
      await sql`drop index positions_maker`.execute(db)
      await sql`drop index positions_borrower`.execute(db)
    },
  },
  '012_auctions_of_takers': {
    async up(db: Kysely<unknown>) {
      // Recent RFQs by verified takers. Anyone can name any account as taker, so unverified ones do not count.
      await sql`alter table auctions add column taker blob`.execute(db)
      await sql`update auctions set taker = unhex(substr(body ->> '$.taker', 3)) where body ->> '$.takerVerified' = 1`.execute(
        db,
      )
      await sql`create index auctions_of_taker on auctions (taker, opened_at) where taker is not null`.execute(db)
    },
  },
  '013_quotes_of_takers': {
    async up(db: Kysely<unknown>) {
      await takerIndex.execute(db)
    },
  },
  '014_rate_history': {
    async up(db: Kysely<unknown>) {
      await sql`create table floating_points (
        pool_id blob not null,
        hour integer not null,
        block_number integer not null,
        rate blob not null,
        primary key (pool_id, hour)
      ) strict, without rowid`.execute(db)
      await sql`create index floating_points_hour on floating_points (hour, pool_id, block_number)`.execute(db)
      await sql`create index floating_points_block on floating_points (block_number)`.execute(db)
      await sql`create table fixed_points (
        series_key blob not null,
        day integer not null,
        apr real not null,
        notional blob not null,
        primary key (series_key, day)
      ) strict, without rowid`.execute(db)
      await sql`create index fixed_points_day on fixed_points (day)`.execute(db)
      // Backfills each day's best rate from accepted quotes. On ties, the largest notional wins.
      await sql`insert into fixed_points (series_key, day, apr, notional)
        select series_key, day, apr, notional from (
          select kept.series_key, auctions.closed_at / 86400000 * 86400 as day, kept.apr, quotes.notional,
            row_number() over (
              partition by kept.series_key, auctions.closed_at / 86400000 order by kept.apr, quotes.notional desc
            ) as place
          from auction_quotes as kept
          join auctions on auctions.id = kept.auction_id
          join quotes on quotes.hash = kept.hash
          where auctions.state = 'closed' and kept.unproven = 0
        ) where place = 1`.execute(db)
    },
  },
  '015_days_of_fills': {
    async up(db: Kysely<unknown>) {
      // A day's fixed rate is now the median of its fills. The times of existing fills are read from the chain after the start.
      await sql`alter table positions add column opened_at integer`.execute(db)
      await sql`create index positions_undated on positions (block_number, block_hash) where opened_at is null`.execute(
        db,
      )
      await sql`create index positions_of_day on positions (series_key, opened_at / 86400, notional, position_id)`.execute(
        db,
      )
      await sql`create table fill_days (
        series_key blob not null,
        day integer not null,
        apr real not null,
        notional blob not null,
        fills integer not null,
        primary key (series_key, day)
      ) strict, without rowid`.execute(db)
      await sql`create index fill_days_day on fill_days (day)`.execute(db)
      await sql`create table offer_days (
        series_key blob not null,
        day integer not null,
        apr real not null,
        notional blob not null,
        primary key (series_key, day)
      ) strict, without rowid`.execute(db)
      await sql`create index offer_days_day on offer_days (day)`.execute(db)
      // The points came from quotes that anyone could make. The table itself stays for the previous version, which still writes to it, until a later
      // release drops it.
      await sql`delete from fixed_points`.execute(db)
    },
  },
  '016_prices_of_days': {
    async up(db: Kysely<unknown>) {
      await sql`create table day_prices (
        series_key blob not null,
        day integer not null,
        kind text not null,
        notional blob not null,
        vrt_amount blob not null,
        at integer not null,
        primary key (series_key, day, kind)
      ) strict, without rowid`.execute(db)
      await sql`create index day_prices_day on day_prices (day)`.execute(db)
    },
  },
  '017_quotes_by_price': {
    async up(db: Kysely<Tables>) {
      // A rate as of its creation cannot order quotes of one series. Lists of several series merge the series' quotes,
      // so they need no index.
      for (const name of ['by_rate', 'by_pool_rate', 'by_series_rate', 'offers']) {
        await sql`drop index ${sql.ref(`quotes_${name}`)}`.execute(db)
      }
      await sql`alter table quotes add column price real not null default 0`.execute(db)
      for (let after = 0; ; ) {
        const { rows } = await sql<{ rowid: number; body: string }>`
          select rowid, body from quotes where rowid > ${after} order by rowid limit 1000`.execute(db)
        const last = rows.at(-1)
        if (!last) break
        // One statement for all rows, because the memory of a prepared statement is freed long after its use.
        const prices = rows.map(({ rowid, body }) => sql`(${rowid}, ${priceOf(parseBody(body).quote)})`)
        await sql`with given (id, price) as (values ${sql.join(prices)})
          update quotes set price = given.price from given where quotes.rowid = given.id`.execute(db)
        after = last.rowid
      }
      const shown = sql`where listed = 1 and status = 'active'`
      await sql`create index quotes_by_series_price on quotes (substr(series_key, 1, 8), price) ${shown}`.execute(db)
      await sql`create index quotes_of_pool on quotes (substr(pool_id, 1, 8)) ${shown}`.execute(db)
      await offersIndex.execute(db)
    },
  },
  '018_controls': {
    async up(db: Kysely<unknown>) {
      await sql`create table controls (
        kind text not null,
        subject text not null,
        body text not null,
        primary key (kind, subject)
      ) strict, without rowid`.execute(db)
      await sql`create table audit (
        id integer primary key autoincrement,
        request text not null unique,
        at integer not null,
        who text not null,
        command text not null,
        subject text,
        why text,
        detail text not null
      ) strict`.execute(db)
      for (const change of ['update', 'delete']) {
        await sql`create trigger ${sql.ref(`audit_without_${change}`)} before ${sql.raw(change)} on audit
          begin select raise(abort, 'the audit is append-only'); end`.execute(db)
      }
    },
  },
  '019_provable_auctions': {
    async up(db: Kysely<unknown>) {
      await sql`create table logs (
        id integer primary key,
        origin text not null,
        public_key blob not null,
        signer blob not null,
        size integer not null,
        root blob not null,
        at integer not null
      ) strict`.execute(db)
      await sql`create table log_entries (
        log integer not null,
        position integer not null,
        entry blob not null,
        primary key (log, position)
      ) strict, without rowid`.execute(db)
      await sql`create table log_tiles (
        log integer not null,
        level integer not null,
        position integer not null,
        hashes blob not null,
        primary key (log, level, position)
      ) strict`.execute(db)
      await sql`create table auction_proofs (
        auction_id integer primary key,
        secret blob not null,
        open_log integer not null,
        open_position integer not null,
        close_log integer,
        close_position integer,
        closing blob
      ) strict`.execute(db)
      for (const column of ['block_number integer', 'block_hash blob', 'leaf blob']) {
        await sql`alter table auction_quotes add column ${sql.raw(column)}`.execute(db)
      }
      for (const change of ['update', 'delete']) {
        await sql`create trigger ${sql.ref(`log_entries_without_${change}`)} before ${sql.raw(change)} on log_entries
          begin select raise(abort, 'the log is append-only'); end`.execute(db)
      }
      // A value of the same size overwrites the secret's bytes. A deleted row's bytes would remain in the file.
      await sql`create trigger auctions_shred before delete on auctions begin
        update auction_proofs set secret = zeroblob(32) where auction_id = old.id;
        delete from auction_proofs where auction_id = old.id;
      end`.execute(db)
    },
  },
  '020_time_of_log': {
    async up(db: Kysely<unknown>) {
      await sql`alter table logs add column seen_at integer not null default 0`.execute(db)
    },
  },
}

/** Copies auctions that have a result, each with its ranked quotes. */
async function copyAuctions(db: Kysely<unknown>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ seq: number; rfq_id: Buffer; closed_at: number; body: string }>`
      select seq, rfq_id, closed_at, body from auctions where seq > ${after} order by seq limit 500`.execute(db)
    for (const { seq: id, rfq_id: rfqId, closed_at: closedAt, body } of rows) {
      const { ranking, status: _, closedAt: __, backers, rejectedCount, ...rfq } = JSON.parse(body) as OldResult
      const publicId = idBlob(publicRfqId(toRfqId(rfqId.toString('hex'))))
      await sql`insert into new_auctions
        (id, public_rfq_id, rfq_id, state, opened_at, closes_at, closed_at, rejected_count, interrupted, last_seq, backers, body)
        values (${id}, ${publicId}, ${rfqId}, 'closed', ${rfq.openedAt}, ${rfq.closesAt}, ${closedAt}, ${rejectedCount}, 0, 0,
          ${backers}, ${JSON.stringify(rfq)})`.execute(db)
      // Ties are ranked by arrival, so the ranking determines the arrival times.
      const hashes = JSON.stringify(ranking.map((hash) => hash.slice(2)))
      await sql`insert into new_auction_quotes
        (id, auction_id, seq, maker, hash, pool_id, series_key, apr, observed_at, arrival)
        select kept.seq, ${id}, row_number() over (order by kept.seq), quotes.maker, kept.hash, kept.pool_id, kept.series_key,
          kept.apr, kept.observed_at, ${rfq.openedAt} * 1000 + ranking.key
        from json_each(${hashes}) as ranking
        join auction_quotes as kept on kept.rfq_id = ${rfqId} and kept.hash = unhex(ranking.value)
        join quotes on quotes.hash = kept.hash`.execute(db)
      await sql`update new_auctions set last_seq = (select count(*) from new_auction_quotes where auction_id = ${id})
        where id = ${id}`.execute(db)
    }
    const last = rows.at(-1)
    if (!last) return
    after = last.seq
  }
}

/** An auction in the old format: its result, with its quotes' hashes. */
type OldResult = {
  openedAt: number
  closesAt: number
  status: string
  closedAt: number
  backers: number
  rejectedCount: number
  ranking: string[]
}
