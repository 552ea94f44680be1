import { type Kysely, type SqlBool, sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Commitment } from '../../ports/store.ts'
import { amountOf, blobOf, hexOf } from './blobs.ts'
import type { Tables } from './schema.ts'

/** The published, active quotes of makers, as far as they are promises. */
export async function listCommitments(db: Kysely<Tables>, makers: readonly Hex[], now: bigint): Promise<Commitment[]> {
  if (makers.length === 0) return []
  const rows = await db
    .selectFrom('quotes')
    .select(['maker', 'pool_id', 'notional'])
    // Written out, not bound: SQLite uses a partial index only where it sees the index's own condition.
    .where(sql<SqlBool>`listed = 1 and status = 'active'`)
    .where('maker', 'in', makers.map(blobOf))
    .where('deadline', '>=', Number(now))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('series')
            .select('expiry')
            .whereRef('series.series_key', '=', 'quotes.series_key')
            .where('expiry', '<=', Number(now)),
        ),
      ),
    )
    .execute()
  return rows.map(({ maker, pool_id, notional }) => ({
    maker: getAddress(hexOf(maker)),
    poolId: hexOf(pool_id),
    notional: amountOf(notional),
  }))
}
