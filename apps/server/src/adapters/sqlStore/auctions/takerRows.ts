import type { TakerCounts } from '../../../domain/takerRecord.ts'
import type { TakerQuery } from '../../../ports/store.ts'
import { blobOf } from '../sql/blobs.ts'
import { pluck, prepareQuery } from '../sql/preparedQuery.ts'
import { forEach, run, type Script } from '../sql/script.ts'

/** Counts a taker's RFQs and fills, each up to `most`. Rows beyond that limit are not read. */
export function* countTaker({ taker, since, from, most }: TakerQuery): Script<TakerCounts> {
  const account = blobOf(taker)
  const opened = yield* forEach([0, 1], (settled) => run(selectLatest, { account, settled, limit: most }))
  return {
    asked: (yield* run(selectAsked, { account, since, limit: most })).length,
    taken: Math.min(opened.filter((block) => block >= from).length, most),
  }
}

const selectAsked = prepareQuery((on, given: { account: Buffer; since: number; limit: number }) =>
  on
    .selectFrom('auctions')
    .select('opened_at')
    .where('taker', '=', given.account)
    .where('opened_at', '>=', given.since)
    .limit(given.limit),
)

/** Blocks of a borrower's newest positions. Position IDs increase, so the newest positions come last in the index. */
const selectLatest = pluck(
  prepareQuery((on, given: { account: Buffer; settled: number; limit: number }) =>
    on
      .selectFrom('positions')
      .select('block_number')
      .where('borrower', '=', given.account)
      .where('settled', '=', given.settled)
      .orderBy('position_id', 'desc')
      .limit(given.limit),
  ),
)
