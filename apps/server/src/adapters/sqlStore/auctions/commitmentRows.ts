import { sql } from 'kysely'
import { getAddress, type Hex } from 'viem'
import type { Commitment } from '../../../ports/store.ts'
import { isShownOfMaker, secondsNumber } from '../quotes/quoteRows.ts'
import { blobOf, hexOf } from '../sql/blobs.ts'
import { hexDigits, joinTexts } from '../sql/dialect.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'

/** Total notional of each maker's published, active quotes in each pool. */
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
    // SQLite cannot add 256-bit numbers. The query joins the numbers into one text, which is cheaper than returning a
    // row per number.
    .select(['maker', 'pool_id', joinTexts(sql`ltrim(${hexDigits('notional')}, '0')`).as('notionals')])
    .where(isShownOfMaker)
    .where('maker', 'in', blobsOf(given.makers))
    .where('deadline', '>=', given.now)
    // A subquery runs only once. A condition on each quote's series would be evaluated for every quote.
    .where('series_key', 'not in', (expired) =>
      expired.selectFrom('series').select('series_key').where('expiry', '<=', given.now),
    )
    .groupBy(['maker', 'pool_id']),
)
