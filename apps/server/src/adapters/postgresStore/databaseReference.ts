// Why: docs/decisions/0078-a-steady-clock.md
import { stepMs } from '../../domain/steadyTime.ts'
import type { ReferenceClock } from '../../ports/referenceClock.ts'
import type { PostgresPool } from './postgresPool.ts'

const clock = 'clock as materialized (select (extract(epoch from clock_timestamp()) * 1000)::double precision as time)'

/** Reads the clock ($1: the caller's time). The row's previous values are returned. */
const readClock = `
with ${clock},
known as materialized (select time, offset_ms, agreed_at from clock, group_clock),
agreed as (
  update group_clock set agreed_at = known.time from known
  where known.time + known.offset_ms between $1::double precision - ${stepMs} and $1::double precision + 1000)
select time, offset_ms as offset, agreed_at as "agreedAt" from known`

const setOffset = `
with ${clock}
update group_clock set offset_ms = $2::bigint, agreed_at = time from clock where offset_ms = $1::bigint`

const resetOffset = `
with ${clock}
update group_clock set offset_ms = 0, agreed_at = time from clock
where offset_ms = $1::bigint and not exists (select from auctions where state = 'open')`

/** Creates the reference for instances that share a database: the database's clock and a stored offset. */
export function createDatabaseReference({ query }: Pick<PostgresPool, 'query'>): ReferenceClock {
  return {
    name: 'database',
    async read(now) {
      const [row] = await query<Awaited<ReturnType<ReferenceClock['read']>>>(readClock, [now], 'read_clock')
      if (!row) throw new TypeError('The table group_clock has no row.')
      return row
    },
    async setOffset({ from, to }) {
      await query(setOffset, [from, to])
    },
    async resetOffset(from) {
      await query(resetOffset, [from])
    },
  }
}
