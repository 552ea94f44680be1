import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Commitment } from '../../../ports/store.ts'
import { isShownOfMaker, secondsNumber } from '../quotes/quoteRows.ts'
import { blobOf, hexOf } from '../sql/blobs.ts'
import { hexDigits, joinTexts } from '../sql/dialect.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'

/** What makers have promised in each pool with their published, active quotes. */
export function* listCommitments(makers: readonly Hex[], now: bigint): Script<Commitment[]> {
  if (makers.length === 0) return []
  const rows = yield* run(sumByMaker, { makers: makers.map(blobOf), now: secondsNumber(now) })
  return rows.map(({ maker, pool_id, notionals }) => ({
    maker: getAddress(hexOf(maker)),
    poolId: hexOf(pool_id),
    notional: notionals.split(',').reduce((sum, digits) => sum + BigInt(`0x0${digits}`), 0n),
  }))
}

export const sumByMaker = prepareQuery((on, given: { makers: readonly Buffer[]; now: number }) =>
  on
    .selectFrom('quotes')
    // SQLite cannot add numbers of this size, but it can hand them over in one text instead of a row each.
    .select(['maker', 'pool_id', joinTexts(sql`ltrim(${hexDigits('notional')}, '0')`).as('notionals')])
    .where(isShownOfMaker)
    .where('maker', 'in', blobsOf(given.makers))
    .where('deadline', '>=', given.now)
    // Found once, where a condition on each quote's own series would look for it a thousand times.
    .where('series_key', 'not in', (expired) =>
      expired.selectFrom('series').select('series_key').where('expiry', '<=', given.now),
    )
    .groupBy(['maker', 'pool_id']),
)
