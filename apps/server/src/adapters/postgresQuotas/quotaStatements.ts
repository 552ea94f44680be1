/** The service's time in Unix milliseconds ($1). */
export const givenClock = 'clock as materialized (select $1::bigint as now)'

/**
 * Tolerance for times ahead of the caller's, in milliseconds. Later times were written before the service's time was
 * set back, and count as over. Otherwise, a user could be limited for as long as it was set back.
 */
const aheadMs = 1_000
/** Maximum lifetime of a slot, in milliseconds: twice the longest `AUCTION_DURATION_MS`. */
const longestSlotMs = 1_200_000

const isSlotUsed = `until_at > (select now from clock) and until_at <= (select now from clock) + ${longestSlotMs}`
const isRecent = `at > (select now from clock) - 60000 and at <= (select now from clock) + ${aheadMs}`

const totals = `json_build_object(
     'open', count(*) filter (where not abandoned),
     'unverified', count(*) filter (where not abandoned and not verified),
     'abandoned', count(*) filter (where abandoned))`

/** Counts the slots in use. */
export const readTotals = `
with ${givenClock}
select ${totals} as totals from quota_places where ${isSlotUsed}`

/**
 * Reads the counts for a batch. Parameters are arrays, and each list in the result follows the order of its parameter.
 * The slots in $8 are about to be released, so they are not counted.
 */
export const readCounted = `
with ${givenClock},
slots as materialized (
  select id, verified, abandoned, keys, debt, notional from quota_places
  where ${isSlotUsed} and id <> all($8::uuid[])),
open as materialized (
  select key, count(*) as open from slots cross join unnest(keys) as key group by key)
select (select version from quota_version) as version, now,
  (select ${totals}
   from slots) as totals,
  (select coalesce(json_agg(json_build_object(
     'open', coalesce(open.open, 0),
     'rfqs', (select coalesce(json_agg(at order by at), '[]') from
              (select at from quota_uses uses where uses.key = asked.key and kind = 0 and ${isRecent}
               order by at desc limit rfqs) latest),
     'proofs', (select coalesce(json_agg(at order by at), '[]') from
                (select at from quota_uses uses where uses.key = asked.key and kind = 1 and ${isRecent}
                 order by at desc limit proofs) latest))
     order by n), '[]')
   from unnest($2::bytea[], $3::bigint[], $4::bigint[]) with ordinality as asked (key, rfqs, proofs, n)
   left join open using (key)) as keys,
  (select coalesce(json_agg((select coalesce(json_object_agg(replace(id::text, '-', ''), notional::text), '{}')
                             from slots where slots.debt = asked.debt) order by n), '[]')
   from unnest($5::bytea[]) with ordinality as asked (debt, n)) as reserved,
  (select coalesce(json_agg((select json_build_object('left', allowance, 'at', at) from quota_checks
                             where sender = asked.sender and ${isRecent}) order by n), '[]')
   from unnest($6::bytea[]) with ordinality as asked (sender, n)) as checks,
  (select coalesce(json_object_agg(replace(id::text, '-', ''), verified), '{}') from slots
   where id = any($7::uuid[]) and not abandoned) as followed
from clock`

/**
 * Writes a batch's decisions and returns a row if the version is still $2. If $2 is null, the batch only releases
 * slots, which is always safe. $17 are released slots to refund, and $18 the milliseconds for which each was kept.
 * A slot's row exists once, so its RFQ is uncounted at most once. The version row is locked before any other change. Each call also deletes a bounded
 * number of expired rows. If $14 is true, also deletes all but the $16 newest rows.
 */
export const writeBatch = `
with ${givenClock},
won as (
  update quota_version set version = version + case when $2::bigint is null then 0 else 1 end
  where version = coalesce($2::bigint, version) returning one),
slots as (
  insert into quota_places (id, until_at, verified, abandoned, keys, debt, notional)
  select id, now + kept, verified, false, keys::bytea[], debt, notional
  from unnest($3::uuid[], $4::bigint[], $5::boolean[], $6::text[], $7::bytea[], $8::numeric[])
    as given (id, kept, verified, keys, debt, notional), clock
  where exists (select from won)),
uses as (
  insert into quota_uses (key, kind, at)
  select key, kind, now from unnest($9::bytea[], $10::smallint[]) as given (key, kind), clock
  where exists (select from won)),
abandoned as (
  update quota_places set abandoned = true where id = any($11::uuid[]) and exists (select from won)),
checks as (
  insert into quota_checks (sender, allowance, at)
  select sender, allowance, now from unnest($12::bytea[], $13::double precision[]) as given (sender, allowance), clock
  where exists (select from won)
  on conflict (sender) do update set allowance = excluded.allowance, at = excluded.at),
ended_places as (
  delete from quota_places where exists (select from won)
    and (id = any($15::uuid[]) or not (${isSlotUsed}))
  returning id, until_at, keys),
refunds as (
  select key, until_at - kept as at, count(*) as uses
  from ended_places join unnest($17::uuid[], $18::bigint[]) as given (id, kept) using (id)
    cross join unnest(keys) as key
  group by 1, 2),
refunded_uses as (
  delete from quota_uses using (
    select uses.ctid as row, refunds.uses, row_number() over (partition by uses.key, uses.at) as nth
    from quota_uses uses join refunds using (key, at) where uses.kind = 0) found
  where quota_uses.ctid = found.row and found.nth <= found.uses),
ended_uses as (
  delete from quota_uses uses using (
    (select ctid as row from quota_uses where at <= (select now from clock) - 60000 limit 2000)
    union all
    (select ctid from quota_uses where at > (select now from clock) + ${aheadMs} limit 2000)
    union all
    (select ctid from quota_uses where $14::boolean order by at desc offset $16::bigint limit 20000)) old
  where uses.ctid = old.row and exists (select from won)),
ended_checks as (
  delete from quota_checks checks using (
    (select sender, at from quota_checks where at <= (select now from clock) - 60000 limit 2000)
    union all
    (select sender, at from quota_checks where at > (select now from clock) + ${aheadMs} limit 2000)
    union all
    (select sender, at from quota_checks where $14::boolean order by at desc offset $16::bigint limit 20000)) old
  where checks.sender = old.sender and checks.at = old.at and exists (select from won) and checks.sender <> all($12::bytea[]))
select one from won`
