/** Milliseconds by the database's clock, the same in a whole statement; $1 is what a test adds. */
const clock =
  'clock as materialized (select (extract(epoch from clock_timestamp()) * 1000)::bigint + $1::bigint as now)'

/**
 * What a round is asked about: parameters are arrays, and each list of the answer is in the order of its array. Places of $8 are about to
 * be released, and count no more.
 */
export const readCounted = `
with ${clock},
places as materialized (
  select id, verified, abandoned, debt, notional from quota_places
  where until_at > (select now from clock) and id <> all($8::uuid[]))
select version, now,
  (select json_build_object(
     'open', count(*) filter (where not abandoned),
     'unverified', count(*) filter (where not abandoned and not verified),
     'abandoned', count(*) filter (where abandoned))
   from places) as totals,
  (select coalesce(json_agg(json_build_object(
     'open', (select count(*) from quota_uses uses join places on places.id = uses.place
              where uses.key = asked.key and uses.kind = 0),
     'rfqs', (select coalesce(json_agg(at order by at), '[]') from
              (select at from quota_uses uses where uses.key = asked.key and kind = 0 and at > now - 60000
               order by at desc limit rfqs) latest),
     'proofs', (select coalesce(json_agg(at order by at), '[]') from
                (select at from quota_uses uses where uses.key = asked.key and kind = 1 and at > now - 60000
                 order by at desc limit proofs) latest))
     order by n), '[]')
   from unnest($2::bytea[], $3::bigint[], $4::bigint[]) with ordinality as asked (key, rfqs, proofs, n)) as keys,
  (select coalesce(json_agg((select coalesce(sum(notional), 0)::text from places
                             where places.debt = asked.debt) order by n), '[]')
   from unnest($5::bytea[]) with ordinality as asked (debt, n)) as reserved,
  (select coalesce(json_agg((select json_build_object('left', allowance, 'at', at) from quota_checks
                             where sender = asked.sender) order by n), '[]')
   from unnest($6::bytea[]) with ordinality as asked (sender, n)) as checks,
  (select coalesce(json_object_agg(id, verified), '{}') from places
   where id = any($7::uuid[]) and not abandoned) as followed
from quota_version, clock`

/**
 * Writes what a round has decided if nothing was written since it has counted ($2 is the version that it read), and gives a row then.
 * Without a version only places are released, which is right at any time. What is over is deleted on the way; $15 asks for a look at
 * whether there is more than is kept.
 */
export const writeRound = `
with ${clock},
won as (
  update quota_version set version = version + case when $2::bigint is null then 0 else 1 end
  where version = coalesce($2::bigint, version) returning one),
places as (
  insert into quota_places (id, until_at, verified, abandoned, debt, notional)
  select id, now + kept, verified, false, debt, notional
  from unnest($3::uuid[], $4::bigint[], $5::boolean[], $6::bytea[], $7::numeric[]) as given (id, kept, verified, debt, notional),
    clock
  where exists (select from won)),
uses as (
  insert into quota_uses (key, kind, at, until_at, place)
  select key, kind, now, now + greatest(kept, 60000), place
  from unnest($8::bytea[], $9::smallint[], $10::bigint[], $11::uuid[]) as given (key, kind, kept, place), clock
  where exists (select from won)),
abandoned as (
  update quota_places set abandoned = true where id = any($12::uuid[]) and exists (select from won)),
checks as (
  insert into quota_checks (sender, allowance, at)
  select sender, allowance, now from unnest($13::bytea[], $14::double precision[]) as given (sender, allowance), clock
  where exists (select from won)
  on conflict (sender) do update set allowance = excluded.allowance, at = excluded.at),
ended_places as (
  delete from quota_places where exists (select from won) and ctid = any(array(
    (select ctid from quota_places where id = any($16::uuid[]))
    union all
    (select ctid from quota_places where until_at <= (select now from clock) limit 1000)))),
ended_uses as (
  delete from quota_uses where exists (select from won) and ctid = any(array(
    (select ctid from quota_uses where until_at <= (select now from clock) limit 2000)
    union all
    (select ctid from quota_uses where $15::boolean order by until_at desc offset $17::bigint limit 20000)))),
ended_checks as (
  delete from quota_checks where exists (select from won) and sender <> all($13::bytea[]) and ctid = any(array(
    (select ctid from quota_checks where at <= (select now from clock) - 60000 limit 1000)
    union all
    (select ctid from quota_checks where $15::boolean order by at desc offset $17::bigint limit 20000))))
select one from won`
