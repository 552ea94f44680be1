import { type RFQResult, type RfqId, serializeSignedQuote, toPublicRfqId } from '@firmquote/core'
import { decodeOrThrow, encodeJson, rfqResultShape } from '@firmquote/core/wire'
import type { Insertable } from 'kysely'
import type { Hex } from 'viem'
import type { ObservationRecord } from '../../ports/store.ts'
import { blobOf, hexOf, idBlob } from './blobs.ts'
import { blobList, blobsOf, pick, prepareQuery, type RunQuery } from './preparedQuery.ts'
import { parseBody } from './quoteBody.ts'
import { deleteForgotten } from './retention.ts'
import type { Tables } from './schema.ts'

/** Ends an auction: from now on its quotes are observations. */
export function insertResult(run: RunQuery, result: RFQResult): void {
  const rfqId = idBlob(result.rfqId)
  const { quotes, ...rest } = result
  const ranking = quotes.map(({ hash }) => hash)
  run(insertAuction, {
    rfq_id: rfqId,
    closed_at: result.closedAt ?? result.closesAt,
    body: encodeJson({ ...rest, ranking }),
  })
  // A quote that reached the disk while the auction closed is not part of it.
  const accepted = new Set<Hex>(ranking)
  const late = run(selectHashes, { rfqId }).flatMap(({ hash }) => (accepted.has(hexOf(hash)) ? [] : [hash]))
  if (late.length === 0) return
  run(deleteObserved, { rfqId, hashes: blobList(late) })
  deleteForgotten(run, late)
}

/** An auction's outcome by the borrower's id. */
export function findResult(run: RunQuery, id: RfqId): RFQResult | null {
  const rfqId = idBlob(id)
  const [auction] = run(selectAuction, { rfqId })
  if (!auction) return null
  const byHash = new Map(run(selectQuotes, { rfqId }).map((row) => [hexOf(row.hash), row]))
  const { ranking, ...rest } = JSON.parse(auction.body) as { ranking: Hex[] }
  const quotes = ranking.flatMap((hash) => {
    const row = byHash.get(hash)
    return row
      ? [{ hash, quote: serializeSignedQuote(parseBody(row.body).quote), apr: row.apr, receivedAt: row.observed_at }]
      : []
  })
  return decodeOrThrow(rfqResultShape, { ...rest, quotes }, 'The stored result')
}

/** Quotes of closed auctions, newest first. */
export function listObservations(
  run: RunQuery,
  { poolId, seriesKey, limit = 50 }: { poolId?: Hex; seriesKey?: Hex; limit?: number },
): ObservationRecord[] {
  const query = observationsOf[poolId === undefined ? 'any' : 'pool'][seriesKey === undefined ? 'any' : 'series']
  const rows = run(query, { poolId: blobOf(poolId ?? '0x'), seriesKey: blobOf(seriesKey ?? '0x'), limit })
  return rows.map((row) => ({
    publicRfqId: toPublicRfqId(row.public_rfq_id.toString('hex')),
    hash: hexOf(row.hash),
    quote: parseBody(row.body).quote,
    apr: row.apr,
    expiry: row.expiry,
    observedAt: row.observed_at,
  }))
}

type OfAuction = { rfqId: Buffer }

const insertAuction = prepareQuery((on, given: Omit<Insertable<Tables['auctions']>, 'seq'>) =>
  on
    .insertInto('auctions')
    .values(pick(given, ['rfq_id', 'closed_at', 'body']))
    .onConflict((conflict) => conflict.column('rfq_id').doNothing()),
)
const selectHashes = prepareQuery((on, given: OfAuction) =>
  on.selectFrom('auction_quotes').select('hash').where('rfq_id', '=', given.rfqId),
)
const deleteObserved = prepareQuery((on, given: OfAuction & { hashes: string }) =>
  on.deleteFrom('auction_quotes').where('rfq_id', '=', given.rfqId).where('hash', 'in', blobsOf(given.hashes)),
)
const selectAuction = prepareQuery((on, given: OfAuction) =>
  on.selectFrom('auctions').select('body').where('rfq_id', '=', given.rfqId),
)
const selectQuotes = prepareQuery((on, given: OfAuction) =>
  on
    .selectFrom('auction_quotes as observed')
    .innerJoin('quotes', 'quotes.hash', 'observed.hash')
    .select(['observed.hash', 'observed.apr', 'observed.observed_at', 'quotes.body'])
    .where('observed.rfq_id', '=', given.rfqId),
)

const observationsOf = {
  any: { any: prepareObservations([]), series: prepareObservations(['series_key']) },
  pool: { any: prepareObservations(['pool_id']), series: prepareObservations(['pool_id', 'series_key']) },
}

function prepareObservations(filters: readonly ('pool_id' | 'series_key')[]) {
  return prepareQuery((on, given: { poolId: Buffer; seriesKey: Buffer; limit: number }) => {
    const all = on
      .selectFrom('auction_quotes as observed')
      .innerJoin('quotes', 'quotes.hash', 'observed.hash')
      .select([
        ...(['observed.public_rfq_id', 'observed.hash', 'observed.apr'] as const),
        ...(['observed.expiry', 'observed.observed_at', 'quotes.body'] as const),
      ])
      // Nothing of an open auction shows to anyone but its borrower.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('auctions').select('auctions.seq').whereRef('auctions.rfq_id', '=', 'observed.rfq_id')),
      )
      .orderBy('observed.seq', 'desc')
      .limit(given.limit)
    const wanted = { pool_id: given.poolId, series_key: given.seriesKey }
    return filters.reduce((query, column) => query.where(`observed.${column}`, '=', wanted[column]), all)
  })
}
