import type { AcceptOutcome, NewQuote, PublishedLimit } from '../../ports/store.ts'
import type { Acceptance } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import { givenColumns, quoteRow } from '../sqlStore/quotes/insertQuotes.ts'
import { secondsNumber } from '../sqlStore/quotes/quoteRows.ts'
import { hexOf, idBlob } from '../sqlStore/sql/blobs.ts'
import { lockEndsShared } from '../sqlStore/sql/locks.ts'
import { byteaArray, float8Array, int4Array, int8Array, textArray } from './binaryArrays.ts'
import type { Statement } from './postgresConnection.ts'

/**
 * Makers' advisory locks. A publication holds its maker's lock exclusively, so two publications cannot both take the
 * last slot within a limit. All makers share 4,096 locks, which limits the server's memory use for locks. The locks are
 * released at the end of the transaction.
 */
const makerLocks = { class: 1_179_994_710, count: 4_096 }

/**
 * Shared lock held by transactions that store quotes. If an event ends a quote, either the transaction that stores the
 * quote sees the event, or the event's writer sees the quote.
 */
const sharing = lockEndsShared.postgres.sql

type Row = ReturnType<typeof quoteRow>

/** A quote for an auction, and its parameters. */
export type AcceptanceRow = { acceptance: Acceptance; id: Buffer; row: Row }
/** A quote to publish, and its parameters. */
export type PublicationRow = { quote: NewQuote; limit: PublishedLimit | undefined; row: Row }

/** Encodes a quote for an auction. */
export function acceptanceRow(acceptance: Acceptance): AcceptanceRow {
  const { hash, quote, apr, receivedAt, publicRfqId } = acceptance.quote
  return { acceptance, id: idBlob(publicRfqId), row: quoteRow({ hash, quote, apr, createdAt: receivedAt }, false) }
}

/** Encodes a quote to publish. */
export function publicationRow(quote: NewQuote, limit: PublishedLimit | undefined): PublicationRow {
  return { quote, limit, row: quoteRow(quote, true) }
}

const columns = Object.entries(givenColumns) as [name: keyof typeof givenColumns, type: ArrayType][]
const quoteColumns = columns.map(([name]) => name).join(', ')
const givenQuotes = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
/** The nth parameter after the quotes' columns, counted from 1. */
const parameter = (n: number) => `$${columns.length + n}`

type ArrayType = keyof typeof arrays
const arrays = { bytea: byteaArray, bigint: int8Array, 'double precision': float8Array, text: textArray }

function bindQuotes(rows: readonly Row[]): Buffer[] {
  return columns.map(([name, type]) => (arrays[type] as (values: unknown[]) => Buffer)(rows.map((row) => row[name])))
}

/**
 * Whether an event has already ended the quote. The condition is a scalar subquery, which is always an index lookup.
 * With `exists`, the planner may hash the whole table.
 */
const isEnded = `coalesce((select true from quote_ends where quote_ends.hash = given.hash), (
  select true from nonce_raises where nonce_raises.maker = given.maker and nonce_raises.nonce > given.nonce limit 1
)) is not null`

/** Inserts the quotes in `taken` and leaves existing rows unchanged. All transactions insert in the same order. */
const storeQuotes = (listed: 0 | 1) => `insert into quotes (${quoteColumns}, status, listed)
  select ${quoteColumns}, 'active', ${listed} from taken order by hash
  on conflict (hash) do nothing`

/**
 * Locks auctions in ID order against concurrent accepts and closes, and notes their IDs for {@link acceptQuotes}. Later
 * statements in the transaction see all earlier commits, and the auctions cannot change until it ends. If no auction
 * matches, the transaction stores no quote and needs no shared lock.
 */
export const lockAuctions = `with locked as materialized (
  select id, (${sharing}) as shared from auctions where public_rfq_id = any($1::bytea[]) order by id for no key update
) select set_config('firmquote.locked', coalesce(array_agg(id), '{}')::text, true), count(shared) from locked`

/**
 * Accepts quotes. New quotes are appended, in order, to each open auction whose deadline has not passed. An auction that
 * {@link lockAuctions} did not lock, because it opened later, is unknown. Returns one row per quote, in parameter order.
 */
export const acceptQuotes = `with given as (
  select * from unnest(${givenQuotes}, ${parameter(1)}::bytea[], ${parameter(2)}::bigint[], ${parameter(3)}::integer[],
    ${parameter(4)}::bigint[]) with ordinality
    as given (${quoteColumns}, public_rfq_id, arrival, unproven, at, place)
), judged as materialized (
  select given.*, auction.id as auction_id, auction.last_seq, coalesce(auction.closed_at, auction.closes_at) as closed_at,
    own.hash as own_hash, own.seq as own_seq, own.observed_at as own_at,
    auction.state = 'open' and auction.closes_at > given.at as is_open, ${isEnded} as is_ended
  from given left join lateral (
    select * from auctions where auctions.public_rfq_id = given.public_rfq_id
      and auctions.id = any((select current_setting('firmquote.locked')::bigint[])::bigint[])
  ) as auction on true
  left join lateral (
    select hash, seq, observed_at from auction_quotes
    where auction_quotes.auction_id = auction.id and auction_quotes.maker = given.maker limit 1
  ) as own on true
), firsts as (
  select *, row_number() over (partition by auction_id, maker order by place) as turn
  from judged where is_open and not is_ended and own_hash is null
), taken as materialized (
  select *, last_seq + row_number() over (partition by auction_id order by place) as seq from firsts where turn = 1
), counted as (
  update auctions set last_seq = newest.seq
  from (select auction_id, max(seq) as seq from taken group by auction_id) as newest where auctions.id = newest.auction_id
), stored as (
  ${storeQuotes(0)}
), kept as (
  insert into auction_quotes (auction_id, seq, maker, hash, pool_id, series_key, apr, observed_at, arrival, unproven)
  select auction_id, seq, maker, hash, pool_id, series_key, apr, created_at, arrival, unproven from taken order by auction_id, seq
)
select judged.auction_id is not null as is_known, judged.is_open, judged.closed_at,
  coalesce(judged.own_hash, taken.hash) as hash, coalesce(judged.own_seq, taken.seq) as seq,
  coalesce(judged.own_at, taken.created_at) as received_at
from judged left join taken on taken.auction_id = judged.auction_id and taken.maker = judged.maker
order by judged.place`

/** A row of {@link acceptQuotes}. `hash` is the maker's current quote in the auction. */
export type AcceptedRow = {
  is_known: boolean
  is_open: boolean
  closed_at: number
  hash: Buffer | null
  seq: number
  received_at: number
}

/** Statements that accept quotes. The last statement returns the rows. */
export function acceptStatements(rows: readonly AcceptanceRow[]): Statement[] {
  const ids = byteaArray(rows.map(({ id }) => id))
  const values = [
    ...bindQuotes(rows.map(({ row }) => row)),
    ids,
    int8Array(rows.map(({ acceptance }) => acceptance.quote.arrival)),
    int4Array(rows.map(({ acceptance }) => (acceptance.quote.unproven ? 1 : 0))),
    int8Array(rows.map(({ acceptance }) => acceptance.at)),
  ]
  return [
    { text: lockAuctions, values: [ids], name: 'lock_auctions' },
    { text: acceptQuotes, values, name: 'accept_quotes' },
  ]
}

/**
 * The outcome of an accepted quote. Returns null if an event has already ended the quote, because a single statement
 * cannot handle that case.
 */
export function acceptOutcome({ acceptance }: AcceptanceRow, row: AcceptedRow): AcceptOutcome | null {
  if (!row.is_known) return { status: 'unknown_auction' }
  const hash = row.hash && hexOf(row.hash)
  if (hash === acceptance.quote.hash) return { status: 'accepted', seq: row.seq, receivedAt: row.received_at }
  if (!row.is_open) return { status: 'closed', closedAt: row.closed_at }
  return hash && { status: 'quoted', hash }
}

/** Locks makers in the order of their lock numbers. */
export const lockMakers = `select (${sharing}), pg_advisory_xact_lock(${makerLocks.class}, lock) from unnest($1::integer[]) as lock`

/** Publishes new quotes, up to each maker's limit. Returns one row per quote, in parameter order. */
export const publishQuotes = `with given as (
  select * from unnest(${givenQuotes}, ${parameter(1)}::bigint[], ${parameter(2)}::bigint[]) with ordinality
    as given (${quoteColumns}, most, since, place)
), counts as materialized (
  select given.maker, case when kept.at_most + given.coming <= given.most then kept.at_most else (
    select count(*) from quotes where quotes.maker = given.maker and quotes.listed = given.listed
      and quotes.status = given.status and quotes.deadline >= given.since
  ) end as open
  from (
    select maker, min(since) as since, min(most) as most, count(*) as coming, 1 as listed, 'active' as status from given group by maker
  ) as given
  left join lateral (select at_most from published_counts where published_counts.maker = given.maker limit 1) as kept on true
), judged as materialized (
  select given.*, counts.open, (select true from quotes where quotes.hash = given.hash) is not null as is_known, ${isEnded} as is_ended,
    row_number() over (partition by given.hash order by given.place) as turn
  from given join counts on counts.maker = given.maker
), ranked as (
  select *, open + row_number() over (partition by maker order by place) as rank
  from judged where not is_known and not is_ended and turn = 1
), taken as materialized (
  select * from ranked where rank <= most
), stored as (
  ${storeQuotes(1)} returning hash
), counted as (
  insert into published_counts (maker, at_most) select maker, max(rank) from taken group by maker
  on conflict (maker) do update set at_most = excluded.at_most
)
select stored.hash is not null and judged.turn = 1 as is_created, judged.is_ended,
  judged.is_known or (taken.hash is not null and (judged.turn > 1 or stored.hash is null)) as is_known,
  greatest(judged.open, judged.most) as open, (select expiry from series where series.series_key = judged.series_key) as series_expiry
from judged left join taken on taken.hash = judged.hash left join stored on stored.hash = judged.hash
order by judged.place`

/** A row of {@link publishQuotes}. */
export type PublishedRow = {
  is_created: boolean
  /** Whether the quote already exists, possibly due to a concurrent transaction or an earlier entry in the group. */
  is_known: boolean
  is_ended: boolean
  /** The maker's number of active quotes, if the maker has reached its limit. */
  open: number
  series_expiry: number | null
}

/** Statements that publish quotes. The last one returns the rows. */
export function publishStatements(rows: readonly PublicationRow[]): Statement[] {
  const locks = new Set(rows.map(({ row }) => row.maker.readUInt16BE(row.maker.length - 2) % makerLocks.count))
  const values = [
    ...bindQuotes(rows.map(({ row }) => row)),
    int8Array(rows.map(({ limit }) => limit?.most ?? Number.MAX_SAFE_INTEGER)),
    int8Array(rows.map(({ limit }) => (limit ? secondsNumber(limit.now) : 0))),
  ]
  const lock = { text: lockMakers, values: [int4Array([...locks].sort((a, b) => a - b))], name: 'lock_makers' }
  return [lock, { text: publishQuotes, values, name: 'publish_quotes' }]
}
