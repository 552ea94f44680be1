import { useQuery } from '@tanstack/react-query'
import { useConnection } from 'wagmi'
import { poolsQuery } from '../../service/queries.ts'
import { useServerNow } from '../../service/serverClock.ts'
import { useService } from '../../service/serviceContext.ts'
import { Skeleton } from '../../ui/Loaded.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import { Account } from './Account.tsx'
import { Markets } from './Markets.tsx'
import { useOffers } from './useOffers.ts'
import { Welcome } from './Welcome.tsx'

/** Where a borrower lands: what an account owes and has fixed, and what every market offers. */
export function OverviewView() {
  const { client } = useService()
  const pools = useQuery(poolsQuery(client))
  const { address, status } = useConnection()
  const now = Math.floor(useServerNow(10_000) / 1000)
  const offers = useOffers(pools.data ?? [], address, now)
  // A wallet that was connected before the page was loaded is about to be again.
  const returning = address === undefined && status === 'reconnecting'
  return (
    <>
      <Welcome connected={address !== undefined || returning} />
      {offers.error && <ErrorState error={offers.error} title="Not all fixed rates could be loaded" />}
      {returning && <Skeleton rows={4} what="your account" />}
      {address !== undefined && <Account address={address} pools={pools} offers={offers} now={now} />}
      <Markets pools={pools} offers={offers} now={now} />
    </>
  )
}
