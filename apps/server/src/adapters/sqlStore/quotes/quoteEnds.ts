import { type SqlBool, sql } from 'kysely'
import { selectCursor } from '../chain/chainQueries.ts'
import { hexDigits } from '../sql/dialect.ts'
import { blobsOf, prepareForPostgres, prepareQuery } from '../sql/preparedQuery.ts'
import { run, type Script } from '../sql/script.ts'
import { enqueueStatusUpdates } from '../statuses/statusRows.ts'

/** Which quotes an event may have touched, those with these hashes and all of these makers, and when, Unix milliseconds. */
export type Touched = { hashes?: readonly Buffer[]; makers?: readonly Buffer[]; at: number }

/**
 * Lets stored quotes follow the events: a quote that was filled or cancelled is, one whose maker has raised the nonce
 * above its own is `nonce_raised`, any other is active; each with where the event was seen. A quote whose nonce is still to
 * come stays active: its maker may have raised it in a block that is not synced yet. What has changed is told.
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

/** Time alone may have taken it out of the lists already. */
const noEnd = sql`case quotes.status when 'expired' then 'expired' else 'active' end`

/** The event that has ended a quote; a maker may still cancel what the nonce has killed, and that says more. */
const end = sql`from (
  select 1 as rank, status, block_number, block_hash, log_index, transaction_hash
  from quote_ends where quote_ends.hash = quotes.hash
  union all
  select 2, 'nonce_raised', block_number, block_hash, log_index, transaction_hash
  from nonce_raises where nonce_raises.maker = quotes.maker and nonce_raises.nonce > quotes.nonce
) as ends order by rank, block_number, log_index limit 1`

/** The same text on every database: it is compared. */
const seenAt = sql`'{"blockNumber":"' || cast(block_number as text)
  || '","blockHash":"0x' || lower(${hexDigits('block_hash')})
  || '","transactionHash":"0x' || lower(${hexDigits('transaction_hash')}) || '"}'`

/** What makers have open is counted again when they publish next. */
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
      // Rows that stay as they are need not be written.
      .where(
        sql<SqlBool>`(status is distinct from coalesce((select status ${end}), ${noEnd}) or seen_at is distinct from (select ${seenAt} ${end}))`,
      )
      .returning(['hash', 'maker', 'status', 'told', 'deadline', 'seen_at']),
  )
}
