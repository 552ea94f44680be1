import { givenClock as clock } from './quotaStatements.ts'

/**
 * Whether an instance has sent a heartbeat within `milliseconds`. A later time than that from now was written before
 * the service's time was set back, and proves nothing.
 */
const isPresent = (milliseconds: string) =>
  `seen_at > (select now from clock) - ${milliseconds} and seen_at <= (select now from clock) + ${milliseconds}`

/**
 * Assigns slots to the sockets ($3) of backers ($4), at most $5 per backer. A slot is free if it is unused or if its
 * instance has sent no heartbeat for $6 milliseconds. Returns the sockets that received no slot. `wasFree` means that a
 * slot was free but another instance took it first.
 */
export const registerSockets = `
with ${clock},
asked as (
  select socket, backer, row_number() over (partition by backer order by n) as nth
  from unnest($3::uuid[], $4::bytea[]) with ordinality as given (socket, backer, n)),
gone as (select instance from presence_instances where not (${isPresent('$6::bigint')})),
free as (
  select backer, place, row_number() over (partition by backer order by place) as nth
  from (select distinct backer from asked) backers cross join generate_series(1, $5::integer) as place
  where not exists (
    select from presence_sockets sockets
    where sockets.backer = backers.backer and sockets.place = place.place and instance not in (select instance from gone))),
taken as (
  insert into presence_sockets as held (backer, place, instance, socket)
  select backer, place, $2::uuid, socket from asked join free using (backer, nth) order by backer, place
  on conflict (backer, place) do update set instance = excluded.instance, socket = excluded.socket
  where held.instance in (select instance from gone)
  returning socket)
select asked.socket, free.place is not null as "wasFree"
from asked left join free using (backer, nth) left join taken using (socket)
where taken.socket is null`

/** Removes sockets ($1). */
export const unregisterSockets = 'delete from presence_sockets where socket = any($1::uuid[])'

/**
 * Writes an instance's ($2) heartbeat. Returns whether the instance was presumed gone, having sent no heartbeat for $3
 * milliseconds.
 */
export const sendHeartbeat = `
with ${clock}, before as (select ${isPresent('$3::bigint')} as present from presence_instances where instance = $2::uuid),
seen as (
  insert into presence_instances (instance, seen_at) select $2::uuid, now from clock
  on conflict (instance) do update set seen_at = excluded.seen_at)
select not coalesce((select present from before), false) as "wasGone"`

/** Replaces the backers that have sessions on an instance ($1) with $2. */
export const writeSessions = `
with gone as (delete from presence_sessions where instance = $1::uuid and backer <> all($2::bytea[]))
insert into presence_sessions (instance, backer) select $1::uuid, backer from unnest($2::bytea[]) as given (backer)
on conflict do nothing`

/**
 * Counts distinct backers that have sessions on other instances but none on this one ($2). Ignores instances that have
 * sent no heartbeat for $3 milliseconds.
 */
export const countOthers = `
with ${clock}
select count(distinct backer)::integer as backers
from presence_sessions join presence_instances using (instance)
where ${isPresent('$3::bigint')} and instance <> $2::uuid
  and backer not in (select backer from presence_sessions where instance = $2::uuid)`

/** Counts each backer's sockets on all instances that have sent a heartbeat within $2 milliseconds. */
export const countSockets = `
with ${clock}
select '0x' || encode(backer, 'hex') as backer, count(*)::integer as sockets
from presence_sockets join presence_instances using (instance) where ${isPresent('$2::bigint')} group by backer`

/** Prunes instances that have sent no heartbeat for $2 milliseconds, with their sockets and sessions. */
export const pruneInstances = `
with ${clock},
known as (select instance from presence_instances where ${isPresent('$2::bigint')}),
sockets as (delete from presence_sockets where instance not in (select instance from known)),
sessions as (delete from presence_sessions where instance not in (select instance from known))
delete from presence_instances where instance not in (select instance from known)`

/** Selects an instance's ($1) registered sockets. */
export const listSockets = 'select socket from presence_sockets where instance = $1::uuid'

/** Removes an instance ($1) with its sockets and sessions. */
export const endInstance = `
with sockets as (delete from presence_sockets where instance = $1::uuid),
sessions as (delete from presence_sessions where instance = $1::uuid)
delete from presence_instances where instance = $1::uuid`
