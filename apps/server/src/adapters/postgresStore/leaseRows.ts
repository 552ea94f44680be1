import type { PostgresPool } from './postgresPool.ts'

/** The lease for following the chain, held by one instance at a time. */
const followsChain = 'chain'

const takeLease = `insert into leases (name, holder, epoch, until)
  values ($1, $2, 1, clock_timestamp() + $3::double precision * interval '1 millisecond')
  on conflict (name) do update set holder = excluded.holder,
    until = clock_timestamp() + $3::double precision * interval '1 millisecond',
    epoch = leases.epoch + case when leases.holder = excluded.holder then 0 else 1 end
  where leases.holder = excluded.holder or leases.until <= clock_timestamp()
  returning epoch`

/**
 * Acquires or renews the lease for following the chain. The lease lasts for `milliseconds`. Returns false while another
 * instance holds the lease.
 */
export async function holdLease(
  { query }: Pick<PostgresPool, 'query'>,
  holder: string,
  milliseconds: number,
): Promise<boolean> {
  return (await query(takeLease, [followsChain, holder, milliseconds], 'take_lease')).length > 0
}
