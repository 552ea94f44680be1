import type { QuoteFilters } from '@firmquote/core'
import type { Hex } from 'viem'
import { amountBlob, blobOf, hexOf } from '../sql/blobs.ts'
import { blobsOf, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'
import { maxRowsExamined, narrowings, type Wanted, type Within } from './quotePageQueries.ts'

/** The filters as column values. */
export function wantedOf({ maker, taker, poolId, seriesKey, minNotional, maxNotional }: QuoteFilters): Wanted {
  return {
    maker: maker === undefined ? null : blobOf(maker),
    taker: taker === undefined ? null : blobOf(taker),
    pool: poolId === undefined ? null : blobOf(poolId),
    series: seriesKey === undefined ? null : blobOf(seriesKey),
    minNotional: minNotional === undefined ? null : amountBlob(minNotional),
    maxNotional: maxNotional === undefined ? null : amountBlob(maxNotional),
  }
}

/** A column whose filter matches only a few quotes, with its value. */
export type Narrowed = { by: Column; within: Within }
type Column = keyof typeof narrowings

/** Returns the first column whose value only a few quotes share, or null if there is none. */
export function* findNarrowed(wanted: Wanted, columns: readonly Column[]): Script<Narrowed | null> {
  for (const by of columns) {
    const value = wanted[by]
    if (value === null || (by === 'taker' && isAnyone(value))) continue
    const within = { value, valueStart: value.subarray(0, 8) }
    const [found] = yield* run(narrowings[by].count, within)
    if (found && found.count < maxRowsExamined) return { by, within }
  }
  return null
}

const isAnyone = (taker: Buffer) => taker.every((byte) => byte === 0)

const selectExpiries = prepareQuery((on, { keys }: { keys: readonly Buffer[] }) =>
  on.selectFrom('series').select(['series_key', 'expiry']).where('series_key', 'in', blobsOf(keys)),
)

/** Expiries of the known series, by series key. */
export type Expiries = ReadonlyMap<Hex, number>

/** Finds the expiries of the given series. */
export function* findExpiries(keys: Iterable<Hex>): Script<Expiries> {
  const rows = yield* run(selectExpiries, { keys: Array.from(keys, blobOf) })
  return new Map(rows.map(({ series_key, expiry }) => [hexOf(series_key), expiry]))
}
