import type { Store } from '../../ports/store.ts'
import type { PostgresPool } from './postgresPool.ts'

/** The lease for following the chain, held by one instance at a time. */
const followsChain = 'chain'

/** Twice the longest `SYNC_INTERVAL_MS`. A lease that ends later was written before the service's time was set back. */
const longestMs = 1_200_000

const takeLease = `insert into leases (name, holder, epoch, until)
  values ($1, $2, 1, to_timestamp(($3::double precision + $4::double precision) / 1000))
  on conflict (name) do update set holder = excluded.holder, until = excluded.until,
    epoch = leases.epoch + case when leases.holder = excluded.holder then 0 else 1 end
  where leases.holder = excluded.holder
    or leases.until <= to_timestamp($3 / 1000) or leases.until > to_timestamp(($3 + ${longestMs}) / 1000)
  returning epoch`

/** Acquires or renews the lease for following the chain. Returns false while another instance holds the lease. */
export async function holdLease(
  { query }: Pick<PostgresPool, 'query'>,
  ...[holder, milliseconds, now]: Parameters<Store['holdLease']>
): Promise<boolean> {
  return (await query(takeLease, [followsChain, holder, now, milliseconds], 'take_lease')).length > 0
}
