import { createRequire } from 'node:module'
import type { SignedQuote } from '@firmquote/core'

/** What of `pg` is called here: it is the one that the server has. */
type Pg = {
  Pool: new (options: {
    connectionString: string
  }) => {
    query(
      text: string | { name: string; text: string },
      values?: unknown[],
    ): Promise<{ rows: Record<string, unknown>[] }>
    end(): Promise<void>
  }
}
const { Pool } = createRequire(new URL('../../../apps/server/package.json', import.meta.url))('pg') as Pg

/** Opens the rival's database on PostgreSQL: `pg` and its pool as they come, one statement and one commit for each quote. */
export async function openPgRivalStore(url: string) {
  const pool = new Pool({ connectionString: url })
  await pool.query(`
    CREATE TABLE IF NOT EXISTS quotes (
      hash text PRIMARY KEY, maker text NOT NULL, pool_id text NOT NULL, series_key text NOT NULL, notional text NOT NULL,
      vrt_amount text NOT NULL, apr double precision NOT NULL, deadline bigint NOT NULL, created_at bigint NOT NULL, body text NOT NULL
    );
    CREATE INDEX IF NOT EXISTS quotes_by_maker ON quotes (maker, deadline);
    CREATE INDEX IF NOT EXISTS quotes_by_rate ON quotes (pool_id, series_key, apr);`)
  const insert = { name: 'insert', text: 'INSERT INTO quotes VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)' }
  const count = { name: 'count', text: 'SELECT count(*) AS open FROM quotes WHERE maker = $1 AND deadline >= $2' }
  return {
    async countOpen(maker: string, now: bigint): Promise<number> {
      const { rows } = await pool.query(count, [maker, String(now)])
      return Number(rows[0]?.['open'])
    },
    /** Resolved means on disk: without a transaction PostgreSQL commits before it answers. */
    async insert(
      { maker, poolId, seriesKey, notional, vrtAmount, deadline }: SignedQuote,
      hash: string,
      apr: number,
      body: string,
    ): Promise<void> {
      const amounts = [notional, vrtAmount].map(String)
      await pool.query(insert, [hash, maker, poolId, seriesKey, ...amounts, apr, String(deadline), Date.now(), body])
    },
    close: () => pool.end(),
  }
}
