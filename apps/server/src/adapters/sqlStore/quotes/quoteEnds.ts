import { type SqlBool, sql } from 'kysely'
import { selectCursor } from '../chain/chainQueries.ts'
import { hexDigits } from '../sql/dialect.ts'
import { blobsOf, prepareForPostgres, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'
import { enqueueStatusUpdates } from '../statuses/statusRows.ts'

/** Quotes that events may affect: the given hashes and all of the given makers'. `at` is in Unix milliseconds. */
export type Touched = { hashes?: readonly Buffer[]; makers?: readonly Buffer[]; at: number }

/**
 * Updates quote statuses from stored events: filled, cancelled, `nonce_raised` if the maker's nonce exceeds the
 * quote's, or otherwise active. Each ended quote is stored with the block of the event that ended it. A quote with a
 * future nonce remains active, because the nonce may be raised in a block that is not synced yet. Changes are enqueued
 * as status updates.
 */
export function* refreshQuotes({ hashes = [], makers = [], at }: Touched): Script<void> {
  const changed = [
    ...(hashes.length > 0 ? yield* run(refreshBy.hash, { touched: hashes }) : []),
    ...(makers.length > 0 ? yield* run(refreshBy.maker, { touched: makers }) : []),
  ]
  const reopened = changed.filter(({ status }) => status === 'active')
  if (reopened.length > 0) yield* run(pruneCounts, { makers: reopened.map(({ maker }) => maker) })
  if (changed.length > 0) yield* enqueueStatusUpdates(changed, { at, newest: (yield* run(selectCursor))[0] ?? null })
}

/** The status of a quote that no event has ended. Pruning may have marked the quote as expired. */
const noEnd = sql`case quotes.status when 'expired' then 'expired' else 'active' end`

/**
 * The event that ended a quote. A cancellation takes precedence over a raised nonce, because it is more specific.
 */
const end = sql`from (
  select 1 as rank, status, block_number, block_hash, log_index, transaction_hash
  from quote_ends where quote_ends.hash = quotes.hash
  union all
  select 2, 'nonce_raised', block_number, block_hash, log_index, transaction_hash
  from nonce_raises where nonce_raises.maker = quotes.maker and nonce_raises.nonce > quotes.nonce
) as ends order by rank, block_number, log_index limit 1`

/** The text must be identical in both databases, because stored texts are compared with it. */
const seenAt = sql`'{"blockNumber":"' || cast(block_number as text)
  || '","blockHash":"0x' || lower(${hexDigits('block_hash')})
  || '","transactionHash":"0x' || lower(${hexDigits('transaction_hash')}) || '"}'`

/** Deletes the counts of makers' open quotes. Each maker's next publication recounts them. */
export const pruneCounts = prepareForPostgres((on, given: { makers: readonly Buffer[] }) =>
  on.deleteFrom('published_counts').where('maker', 'in', blobsOf(given.makers)),
)

const refreshBy = { hash: prepareRefresh('hash'), maker: prepareRefresh('maker') }

function prepareRefresh(column: 'hash' | 'maker') {
  return prepareQuery((on, given: { touched: readonly Buffer[] }) =>
    on
      .updateTable('quotes')
      .set({ status: sql`coalesce((select status ${end}), ${noEnd})`, seen_at: sql`(select ${seenAt} ${end})` })
      .where(column, 'in', blobsOf(given.touched))
      // Skips rows that would not change.
      .where(
        sql<SqlBool>`(status is distinct from coalesce((select status ${end}), ${noEnd}) or seen_at is distinct from (select ${seenAt} ${end}))`,
      )
      .returning(['hash', 'maker', 'status', 'told', 'deadline', 'seen_at']),
  )
}
