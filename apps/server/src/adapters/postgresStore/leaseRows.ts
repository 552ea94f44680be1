import type { PostgresPool } from './postgresPool.ts'

/** What one instance at a time does. */
const followsChain = 'chain'

const takeLease = `insert into leases (name, holder, epoch, until)
  values ($1, $2, 1, clock_timestamp() + $3::double precision * interval '1 millisecond')
  on conflict (name) do update set holder = excluded.holder,
    until = clock_timestamp() + $3::double precision * interval '1 millisecond',
    epoch = leases.epoch + case when leases.holder = excluded.holder then 0 else 1 end
  where leases.holder = excluded.holder or leases.until <= clock_timestamp()
  returning epoch`

/** Takes the lease to follow the chain, or keeps it, for so many milliseconds; false while it is another holder's. */
export async function holdLease(
  { query }: Pick<PostgresPool, 'query'>,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  return (await query(takeLease, [followsChain, holder, milliseconds], 'take_lease')).length > 0
}
