import { type Address, getAddress } from 'viem'
import type { Fill } from '../../../ports/store.ts'
import { blobOf, hexOf } from '../sql/blobs.ts'
import { largestBlob } from '../sql/dialect.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'

/** Each maker's largest fill in each series since a given block. */
export function* listLargestFills(makers: readonly Address[], from: bigint): Script<Fill[]> {
  if (makers.length === 0) return []
  const rows = yield* run(largestBySeries, { makers: makers.map(blobOf), from: Number(from) })
  return rows.map(({ maker, pool_id, notional, cap }) => ({
    maker: getAddress(hexOf(maker)),
    poolId: hexOf(pool_id),
    notional: BigInt(hexOf(notional)),
    cap: BigInt(hexOf(cap)),
  }))
}

const largestBySeries = prepareQuery((on, given: { makers: readonly Buffer[]; from: number }) =>
  on
    .selectFrom('positions')
    .innerJoin('series', 'series.series_key', 'positions.series_key')
    .select(['positions.maker', largestBlob('positions.notional').as('notional'), 'series.pool_id', 'series.cap'])
    .where('positions.maker', 'in', blobsOf(given.makers))
    .where('positions.block_number', '>=', given.from)
    .groupBy(['positions.maker', 'series.series_key']),
)
