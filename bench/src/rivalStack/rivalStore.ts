import type { SignedQuote } from '@firmquote/core'
import Database from 'better-sqlite3'

/** Opens the rival's database: one statement and one commit for each quote, as safe as ours (WAL, `synchronous = FULL`). */
export function openRivalStore(file: string) {
  const database = new Database(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`
    CREATE TABLE IF NOT EXISTS quotes (
      hash TEXT PRIMARY KEY, maker TEXT NOT NULL, pool_id TEXT NOT NULL, series_key TEXT NOT NULL, notional TEXT NOT NULL,
      vrt_amount TEXT NOT NULL, apr REAL NOT NULL, deadline INTEGER NOT NULL, created_at INTEGER NOT NULL, body TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS quotes_by_maker ON quotes (maker, deadline);
    CREATE INDEX IF NOT EXISTS quotes_by_rate ON quotes (pool_id, series_key, apr);`)
  const insert = database.prepare('INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const find = database.prepare('SELECT 1 FROM quotes WHERE hash = ?')
  const count = database.prepare('SELECT count(*) AS open FROM quotes WHERE maker = ? AND deadline >= ?')
  return {
    has: (hash: string): boolean => find.get(hash) !== undefined,
    countOpen: (maker: string, now: bigint): number => (count.get(maker, now) as { open: number }).open,
    /** Resolved means on disk: better-sqlite3 commits before it returns. */
    insert(
      { maker, poolId, seriesKey, notional, vrtAmount, deadline }: SignedQuote,
      hash: string,
      apr: number,
      body: string,
    ) {
      insert.run(hash, maker, poolId, seriesKey, String(notional), String(vrtAmount), apr, deadline, Date.now(), body)
    },
    close: () => database.close(),
  }
}
