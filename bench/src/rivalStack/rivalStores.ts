import type { SignedQuote } from '@firmquote/core'
import Database from 'better-sqlite3'
import pg from 'pg'

/** The rival's store: one statement and one commit per quote. A quote is durable once `insert` resolves. */
export type RivalStore = {
  countOpen(maker: string, now: bigint): number | Promise<number>
  insert(quote: SignedQuote, hash: string, apr: number, body: string): unknown
  close(): unknown
}

const schema = `
  CREATE TABLE IF NOT EXISTS quotes (
    hash TEXT PRIMARY KEY, maker TEXT NOT NULL, pool_id TEXT NOT NULL, series_key TEXT NOT NULL, notional TEXT NOT NULL,
    vrt_amount TEXT NOT NULL, apr DOUBLE PRECISION NOT NULL, deadline BIGINT NOT NULL, created_at BIGINT NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS quotes_by_maker ON quotes (maker, deadline);
  CREATE INDEX IF NOT EXISTS quotes_by_rate ON quotes (pool_id, series_key, apr);`
const countOpen = 'SELECT count(*) AS open FROM quotes WHERE maker = $1 AND deadline >= $2'
const insert = 'INSERT INTO quotes VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)'

function valuesOf(...[quote, hash, apr, body]: Parameters<RivalStore['insert']>) {
  const { maker, poolId, seriesKey, notional, vrtAmount, deadline } = quote
  return [hash, maker, poolId, seriesKey, String(notional), String(vrtAmount), apr, String(deadline), Date.now(), body]
}

/** Opens SQLite with the product's durability settings: WAL and `synchronous = FULL`. */
export function openSqliteRivalStore(file: string): RivalStore {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(schema)
  const prepare = (text: string) => database.prepare(text.replaceAll(/\$\d+/g, '?'))
  const [inserting, counting] = [prepare(insert), prepare(countOpen)]
  return {
    countOpen: (maker, now) => (counting.get(maker, now) as { open: number }).open,
    insert: (...quote) => inserting.run(...valuesOf(...quote)),
    close: () => database.close(),
  }
}

/**
 * Opens PostgreSQL through `pg` with its default pool. Without an explicit transaction, PostgreSQL commits before it
 * answers.
 */
export async function openPgRivalStore(url: string): Promise<RivalStore> {
  const pool = new pg.Pool({ connectionString: url })
  await pool.query(schema)
  return {
    async countOpen(maker, now) {
      const { rows } = await pool.query({ name: 'count', text: countOpen, values: [maker, String(now)] })
      return Number(rows[0]?.open)
    },
    insert: (...quote) => pool.query({ name: 'insert', text: insert, values: valuesOf(...quote) }),
    close: () => pool.end(),
  }
}
