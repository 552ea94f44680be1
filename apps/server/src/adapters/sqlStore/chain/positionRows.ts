import type { OpenedSeries } from '@firmquote/core/chain'
import type { ExpressionBuilder } from 'kysely'
import { getAddress } from 'viem'
import type { Position } from '../../../ports/chain.ts'
import type { PositionPage, PositionQuery, PositionRecord } from '../../../ports/store.ts'
import { amountOf, blobOf, hexOf } from '../sql/blobs.ts'
import { decodePositionCursor, encodePositionCursor } from '../sql/cursor.ts'
import { blobsOf, pluck, prepareQuery } from '../sql/preparedQuery.ts'
import type { Tables } from '../sql/schema.ts'
import { forEach, run, type Script } from '../sql/script.ts'
import { selectCursor } from './chainQueries.ts'

/** A page of an account's positions. Must run in a snapshot, so that `block` applies to the whole page. */
export function* listPositions(query: PositionQuery): Script<PositionPage> {
  const { status, limit } = query
  const [cursor] = yield* run(selectCursor)
  const found = yield* findIds(query)
  const ids = found.slice(0, limit)
  const last = ids.at(-1)
  const rows = yield* run(selectPage, { ids })
  if (status !== 'open') rows.reverse()
  const ofSeries = new Map(rows.filter(({ to_maker }) => to_maker === null).map((row) => [hexOf(row.series_key), row]))
  const keys = Array.from(ofSeries.values(), ({ series_key }) => series_key)
  const lasts = new Map(
    (keys.length > 0 ? yield* run(selectLasts, { keys }) : []).map(({ series_key, last }) => [hexOf(series_key), last]),
  )
  const openSeries = [...ofSeries].flatMap(([seriesKey, { adapter, market }]): OpenedSeries[] => {
    const last = lasts.get(seriesKey)
    if (!last) return []
    return [{ seriesKey, adapter: getAddress(hexOf(adapter)), market: hexOf(market), lastPositionId: amountOf(last) }]
  })
  return {
    block: cursor
      ? { number: BigInt(cursor.number), hash: hexOf(cursor.hash), timestamp: BigInt(cursor.timestamp) }
      : null,
    positions: rows.map(recordOf),
    openSeries,
    nextCursor: found.length > limit && last ? encodePositionCursor(status, last) : null,
  }
}

/** The position IDs on a page, in order, plus one more if there is a next page. */
function* findIds({ account, status, limit, cursor }: PositionQuery): Script<Buffer[]> {
  const isAscending = status === 'open'
  const after = cursor === undefined ? (isAscending ? first : beyond) : decodePositionCursor(cursor, status)
  const given = { account: blobOf(account), after, limit: limit + 1 }
  const states = status === 'all' ? [0, 1] : [status === 'settled' ? 1 : 0]
  // Each query reads an index, starting at the cursor. Together, the queries cover every position on the page.
  const ids = yield* forEach(states, (settled) =>
    forEach(isAscending ? ascending : descending, (query) => run(query, { ...given, settled })),
  )
  const sorted = ids.sort((a, b) => (isAscending ? a.compare(b) : b.compare(a)))
  // A position in which the account is both maker and borrower is found twice.
  return sorted.filter((id, index) => !sorted[index - 1]?.equals(id)).slice(0, limit + 1)
}

/** `first` sorts before all position IDs, which are 32 bytes long, and `beyond` sorts after them. */
const first = Buffer.alloc(0)
const beyond = Buffer.alloc(33, 0xff)

type IdValues = { account: Buffer; settled: number; after: Buffer; limit: number }

function idQueries(sign: '>' | '<', direction: 'asc' | 'desc') {
  return (['maker', 'borrower'] as const).map((side) =>
    pluck(
      prepareQuery((on, { account, settled, after, limit }: IdValues) =>
        on
          .selectFrom('positions')
          .select('position_id')
          .where(side, '=', account)
          .where('settled', '=', settled)
          .where('position_id', sign, after)
          .orderBy('position_id', direction)
          .limit(limit),
      ),
    ),
  )
}
const ascending = idQueries('>', 'asc')
const descending = idQueries('<', 'desc')

const selectPage = prepareQuery((on, { ids }: { ids: readonly Buffer[] }) =>
  on
    .selectFrom('positions')
    .innerJoin('series', 'series.series_key', 'positions.series_key')
    .innerJoin('pools', 'pools.pool_id', 'positions.pool_id')
    .leftJoin('settlements', 'settlements.position_id', 'positions.position_id')
    .selectAll('positions')
    .select(['series.expiry', 'pools.loan_token', 'pools.adapter', 'pools.market'])
    .select(['settlements.to_borrower', 'settlements.to_maker'])
    .select(['settlements.block_number as settled_block', 'settlements.transaction_hash as settled_transaction'])
    .where('positions.position_id', 'in', blobsOf(ids))
    .orderBy('positions.position_id'),
)
type PageRow = NonNullable<(typeof selectPage)['row']>

/** Selects the last position of a series. */
const lastPosition = (series: ExpressionBuilder<Tables, 'series'>) =>
  series
    .selectFrom('positions')
    .select('position_id')
    .whereRef('positions.series_key', '=', 'series.series_key')
    .orderBy('position_id', 'desc')
    .limit(1)
    .as('last')

const selectLasts = prepareQuery((on, { keys }: { keys: readonly Buffer[] }) =>
  on.selectFrom('series').select('series_key').select(lastPosition).where('series_key', 'in', blobsOf(keys)),
)

const selectExpired = prepareQuery((on, { at }: { at: number }) =>
  on
    .selectFrom('series')
    .innerJoin('pools', 'pools.pool_id', 'series.pool_id')
    .select(['series.series_key', 'series.expiry', 'pools.adapter', 'pools.market'])
    .select(lastPosition)
    .where('series.expiry', '<=', at)
    .orderBy('series.expiry')
    .orderBy('series.series_key'),
)

/** Series with positions that expired by `at` (Unix seconds), earliest expiry first. */
export function* listExpiredSeries(at: number): Script<(OpenedSeries & { expiry: number })[]> {
  return (yield* run(selectExpired, { at })).flatMap(({ series_key, adapter, market, expiry, last }) =>
    last === null
      ? []
      : [
          {
            seriesKey: hexOf(series_key),
            adapter: getAddress(hexOf(adapter)),
            market: hexOf(market),
            expiry,
            lastPositionId: amountOf(last),
          },
        ],
  )
}

function recordOf(row: PageRow): PositionRecord {
  const { to_borrower, to_maker, settled_block, settled_transaction } = row
  const isSettled = to_borrower !== null && to_maker !== null && settled_block !== null && settled_transaction !== null
  return {
    ...positionOf(row),
    loanToken: getAddress(hexOf(row.loan_token)),
    expiry: row.expiry,
    settlement: isSettled
      ? {
          toBorrower: amountOf(to_borrower),
          toMaker: amountOf(to_maker),
          blockNumber: BigInt(settled_block),
          transactionHash: hexOf(settled_transaction),
        }
      : null,
  }
}

/** The position that a row describes. */
export function positionOf(
  row: Omit<Tables['positions'], 'settled' | 'opened_at' | 'block_hash' | 'log_index' | 'transaction_hash'>,
): Position {
  return {
    positionId: amountOf(row.position_id),
    maker: getAddress(hexOf(row.maker)),
    borrower: getAddress(hexOf(row.borrower)),
    poolId: hexOf(row.pool_id),
    seriesKey: hexOf(row.series_key),
    notional: amountOf(row.notional),
    cost: amountOf(row.cost),
    index: amountOf(row.opening_index),
    openedAtBlock: BigInt(row.block_number),
  }
}
