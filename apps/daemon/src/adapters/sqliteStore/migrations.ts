import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Migrations in order. A released migration must never change. */
export const migrations: Record<string, Migration> = {
  '001_quotes': {
    async up(db: Kysely<unknown>) {
      await sql`create table notes (name text primary key not null, value text not null) strict`.execute(db)
      await sql`create table quotes (
        hash text primary key not null,
        rfq_id text unique,
        loan_token text not null,
        body text not null,
        signature text,
        verdict text not null,
        code text,
        signed_at integer not null,
        ended integer not null
      ) strict`.execute(db)
      await sql`create index quotes_unended on quotes (hash) where ended = 0`.execute(db)
      await sql`create index quotes_signed_at on quotes (signed_at)`.execute(db)
    },
  },
  '002_askers': {
    async up(db: Kysely<unknown>) {
      // The asker of existing quotes is unknown.
      await sql`alter table quotes add column asker text not null default 'unverified'`.execute(db)
      await sql`update quotes set asker = 'maker' where rfq_id is null`.execute(db)
    },
  },
  '003_fills': {
    async up(db: Kysely<unknown>) {
      await sql`create table status_seqs (service text primary key not null, seq integer not null) strict`.execute(db)
      await sql`create table fills (
        hash text primary key not null,
        status text not null,
        final integer not null,
        block integer not null,
        transaction_hash text,
        change integer not null,
        begun integer not null,
        done integer not null,
        told text,
        changed_at integer not null
      ) strict`.execute(db)
      await sql`create index fills_change on fills (change)`.execute(db)
      await sql`create index fills_unanswered on fills (change) where done < change`.execute(db)
    },
  },
  '004_receipts': {
    async up(db: Kysely<unknown>) {
      await sql`create table receipts (hash text primary key not null, body text not null) strict`.execute(db)
    },
  },
}
