import { type Pool, poolsQuery, useService } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { useConnection } from 'wagmi'
import { useTexts } from '../../copy/words.ts'
import { type KnownOffers, useKnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { isUnanswered } from '../../service/isUnanswered.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState, ErrorState } from '../../ui/Notice.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { Market } from './Market.tsx'

/** All markets with their floating rates and each term's offers. */
export function MarketsView() {
  const { client } = useService()
  const { markets } = useTexts()
  const pools = useQuery(poolsQuery(client))
  const { address } = useConnection()
  const now = useAsOf(pools)
  const offers = useKnownOffers(pools.data ?? [], address, now)
  return (
    <>
      <ViewHead title={markets.title}>{markets.lead}</ViewHead>
      {pools.data && offers.error && !isUnanswered(offers.error) && (
        <ErrorState error={offers.error} title={markets.ratesMissing} />
      )}
      <Loaded query={pools} what="markets" rows={12}>
        {(known) => <List pools={known} offers={offers} now={now} />}
      </Loaded>
    </>
  )
}

function List({ pools, offers, now }: { pools: readonly Pool[]; offers: KnownOffers; now: number }) {
  const { markets } = useTexts()
  if (pools.length === 0) return <EmptyState title={markets.none}>{markets.noneWhy}</EmptyState>
  return pools.map((pool) => <Market key={pool.poolId} pool={pool} offers={offers} now={now} />)
}
