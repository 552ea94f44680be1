import type { AcceptOutcome, NewQuote, PublishedLimit } from '../../ports/store.ts'
import type { Acceptance } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import { quoteRow } from '../sqlStore/quotes/insertQuotes.ts'
import { secondsNumber } from '../sqlStore/quotes/quoteRows.ts'
import { hexOf, idBlob } from '../sqlStore/sql/blobs.ts'
import { lockEndsShared } from '../sqlStore/sql/locks.ts'
import { byteaArray, float8Array, int4Array, int8Array, textArray } from './binaryArrays.ts'
import type { Statement } from './postgresConnection.ts'

/**
 * Who publishes has the lock of the maker alone, so that two cannot both be the last quote of a limit. They are 4,096, and so is
 * what they take of the server's memory for locks at most. Nobody owns anything by them: the transaction's end releases them.
 */
const makerLocks = { class: 1_179_994_710, count: 4_096 }

/** What stores a quote: the ends of quotes are then either seen, or their writer sees the quote. */
const sharing = lockEndsShared.postgres.sql

type Row = ReturnType<typeof quoteRow>

/** A quote for an auction, as it is bound. */
export type AcceptanceRow = { acceptance: Acceptance; id: Buffer; row: Row }
/** A quote that is published, as it is bound. */
export type PublicationRow = { quote: NewQuote; limit: PublishedLimit | undefined; row: Row }

/** Encodes a quote for an auction. */
export function acceptanceRow(acceptance: Acceptance): AcceptanceRow {
  const { hash, quote, apr, receivedAt, publicRfqId } = acceptance.quote
  return { acceptance, id: idBlob(publicRfqId), row: quoteRow({ hash, quote, apr, createdAt: receivedAt }, false) }
}

/** Encodes a quote that is published. */
export function publicationRow(quote: NewQuote, limit: PublishedLimit | undefined): PublicationRow {
  return { quote, limit, row: quoteRow(quote, true) }
}

const quoteColumns = 'hash, maker, taker, pool_id, series_key, notional, nonce, deadline, apr, created_at, body'

function bindQuotes(rows: readonly Row[]): Buffer[] {
  const blobs = ['hash', 'maker', 'taker', 'pool_id', 'series_key', 'notional', 'nonce'] as const
  return [
    ...blobs.map((name) => byteaArray(rows.map((row) => row[name]))),
    int8Array(rows.map(({ deadline }) => deadline)),
    float8Array(rows.map(({ apr }) => apr)),
    int8Array(rows.map(({ created_at }) => created_at)),
    textArray(rows.map(({ body }) => body)),
  ]
}

const givenQuotes =
  '$1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::double precision[], ' +
  '$10::bigint[], $11::text[]'

/**
 * Whether an event that ends a quote is there already. Written so that each is looked up: for an `exists` the server may read
 * the whole table into memory instead.
 */
const isEnded = `coalesce((select true from quote_ends where quote_ends.hash = given.hash), (
  select true from nonce_raises where nonce_raises.maker = given.maker and nonce_raises.nonce > given.nonce limit 1
)) is not null`

/** The quotes of `taken`; one that is there already stays as it is. All transactions insert in the same order. */
const storeQuotes = (listed: 0 | 1) => `insert into quotes (${quoteColumns}, status, listed)
  select ${quoteColumns}, 'active', ${listed} from taken order by hash
  on conflict (hash) do nothing`

/**
 * Locks the auctions that are to accept something, in the order of their ids, against each other and against their close. What
 * is read in a later statement was committed before, and nothing of it changes until the end. Without any of them nothing is
 * stored, and the other lock is not needed.
 */
export const lockAuctions = `select id, (${sharing}) from auctions where public_rfq_id = any($1::bytea[]) order by id for no key update`

/**
 * Accepts quotes: auctions count those that are new, in their order, if they are open and their time is not over. What each
 * has come to is in one row, in the same order.
 */
export const acceptQuotes = `with given as (
  select * from unnest(${givenQuotes}, $12::bytea[], $13::bigint[], $14::integer[], $15::bigint[]) with ordinality
    as given (${quoteColumns}, public_rfq_id, arrival, unproven, at, place)
), moment as materialized (
  select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now
), judged as materialized (
  select given.*, auction.id as auction_id, auction.last_seq, coalesce(auction.closed_at, auction.closes_at) as closed_at,
    own.hash as own_hash, own.seq as own_seq, own.observed_at as own_at,
    auction.state = 'open' and auction.closes_at > coalesce(given.at, moment.now) as is_open, ${isEnded} as is_ended
  from given cross join moment
  left join lateral (select * from auctions where auctions.public_rfq_id = given.public_rfq_id) as auction on true
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

/** A row of {@link acceptQuotes}: `hash` is the quote that the maker has in the auction now. */
export type AcceptedRow = {
  is_known: boolean
  is_open: boolean
  closed_at: number
  hash: Buffer | null
  seq: number
  received_at: number
}

/** The statements that accept quotes, the last of which has their rows. */
export function acceptStatements(rows: readonly AcceptanceRow[], clockSource: 'database' | 'caller'): Statement[] {
  const ids = byteaArray(rows.map(({ id }) => id))
  const values = [
    ...bindQuotes(rows.map(({ row }) => row)),
    ids,
    int8Array(rows.map(({ acceptance }) => acceptance.quote.arrival)),
    int4Array(rows.map(({ acceptance }) => (acceptance.quote.unproven ? 1 : 0))),
    clockSource === 'caller' ? int8Array(rows.map(({ acceptance }) => acceptance.at)) : null,
  ]
  return [
    { text: lockAuctions, values: [ids], name: 'lock_auctions' },
    { text: acceptQuotes, values, name: 'accept_quotes' },
  ]
}

/** What has become of a quote; null when an event has ended it already, which takes more than one statement. */
export function acceptOutcome({ acceptance }: AcceptanceRow, row: AcceptedRow): AcceptOutcome | null {
  if (!row.is_known) return { status: 'unknown_auction' }
  const hash = row.hash && hexOf(row.hash)
  if (hash === acceptance.quote.hash) return { status: 'accepted', seq: row.seq, receivedAt: row.received_at }
  if (!row.is_open) return { status: 'closed', closedAt: row.closed_at }
  return hash && { status: 'quoted', hash }
}

/** Locks makers, in the order of their locks. */
export const lockMakers = `select (${sharing}), pg_advisory_xact_lock(${makerLocks.class}, lock) from unnest($1::integer[]) as lock`

/**
 * Publishes quotes that are not there yet, as many of each maker as its limit allows. What each has come to is in one row, in
 * the same order.
 */
export const publishQuotes = `with given as (
  select * from unnest(${givenQuotes}, $12::bigint[], $13::bigint[]) with ordinality
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
  /** It is there, also when another transaction or an earlier place of the group has stored it meanwhile. */
  is_known: boolean
  is_ended: boolean
  /** How many its maker has when it has no place for this one. */
  open: number
  series_expiry: number | null
}

/** The statements that publish quotes, the last of which has their rows. */
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
