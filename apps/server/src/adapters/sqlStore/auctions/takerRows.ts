import { type PublicRfqId, toPublicRfqId } from '@firmquote/core'
import type { Address } from 'viem'
import type { TakerCounts } from '../../../domain/takerRecord.ts'
import type { TakerQuery } from '../../../ports/store.ts'
import { amountOf, blobOf } from '../sql/blobs.ts'
import { pluck, prepareQuery } from '../sql/preparedQuery.ts'
import { ask, forEach, run, runAll, type Script } from '../sql/script.ts'
import { selectFill } from '../statuses/statusQueries.ts'

import { isOpen } from './auctionRows.ts'

/** Counts a taker's RFQs and fills, each up to `most`. Rows beyond that limit are not read. */
export function* countTaker({ taker, since, from, most }: TakerQuery): Script<TakerCounts> {
  const account = blobOf(taker)
  const opened = yield* forEach([0, 1], (settled) => run(selectLatest, { account, settled, limit: most }))
  return {
    asked: (yield* run(selectAsked, { account, since, limit: most })).length,
    taken: Math.min(opened.filter((block) => block >= from).length, most),
  }
}

/** A verified taker's fills in each of its open auctions. The quote may be open to anyone, so others may have filled it. */
export function* listTaken(taker: Address): Script<ReadonlyMap<PublicRfqId, bigint>> {
  const account = blobOf(taker)
  const filled = yield* run(selectFilled, { account })
  const fills = yield* runAll(filled.map(({ hash, maker }) => ask(selectFill, { hash, maker })))
  const taken = new Map<PublicRfqId, bigint>()
  for (const [index, { public_rfq_id }] of filled.entries()) {
    const [fill] = fills[index] ?? []
    if (!fill?.borrower.equals(account)) continue
    const rfqId = toPublicRfqId(public_rfq_id.toString('hex'))
    taken.set(rfqId, (taken.get(rfqId) ?? 0n) + amountOf(fill.notional))
  }
  return taken
}

const selectFilled = prepareQuery((on, given: { account: Buffer }) =>
  on
    .selectFrom('auctions')
    .innerJoin('auction_quotes', 'auction_quotes.auction_id', 'auctions.id')
    .innerJoin('quotes', 'quotes.hash', 'auction_quotes.hash')
    .select(['auctions.public_rfq_id', 'auction_quotes.hash', 'auction_quotes.maker'])
    .where('auctions.taker', '=', given.account)
    .where(isOpen)
    .where('quotes.status', '=', 'filled'),
)

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
