import { type Kysely, type SqlBool, sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Commitment } from '../../ports/store.ts'
import { blobOf, hexOf } from './blobs.ts'
import type { Tables } from './schema.ts'

/** What makers have promised in each pool with their published, active quotes. */
export async function listCommitments(db: Kysely<Tables>, makers: readonly Hex[], now: bigint): Promise<Commitment[]> {
  if (makers.length === 0) return []
  const rows = await db
    .selectFrom('quotes')
    // SQLite cannot add numbers of this size, but it can hand them over in one text instead of a row each.
    .select(['maker', 'pool_id', sql<string>`group_concat(ltrim(hex(notional), '0'))`.as('notionals')])
    // Written out, not bound: SQLite uses a partial index only where it sees the index's own condition.
    .where(sql<SqlBool>`listed = 1 and status = 'active'`)
    .where('maker', 'in', makers.map(blobOf))
    .where('deadline', '>=', Number(now))
    // Found once, where a condition on each quote's own series would look for it a thousand times.
    .where('series_key', 'not in', (on) =>
      on.selectFrom('series').select('series_key').where('expiry', '<=', Number(now)),
    )
    .groupBy(['maker', 'pool_id'])
    .execute()
  return rows.map(({ maker, pool_id, notionals }) => ({
    maker: getAddress(hexOf(maker)),
    poolId: hexOf(pool_id),
    notional: notionals.split(',').reduce((sum, digits) => sum + BigInt(`0x0${digits}`), 0n),
  }))
}
