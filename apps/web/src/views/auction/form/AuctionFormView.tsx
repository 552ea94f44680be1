import { poolsQuery, useService } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { useTexts } from '../../../copy/words.ts'
import { parseAuctionDraft } from '../../../routes.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Narrow } from '../../../ui/Narrow.tsx'
import { EmptyState } from '../../../ui/Notice.tsx'
import { ViewHead } from '../../../ui/ViewHead.tsx'
import { AuctionForm } from './AuctionForm.tsx'
import { RecentAuctions } from './RecentAuctions.tsx'

/** The view for requesting a fixed rate. */
export function AuctionFormView() {
  const { client } = useService()
  const { auction } = useTexts()
  const search = useSearch()
  const pools = useQuery(poolsQuery(client))
  return (
    <Narrow>
      <ViewHead title={auction.title}>{auction.lead}</ViewHead>
      <Loaded query={pools} what="markets" rows={6}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title={auction.noMarkets}>{auction.noMarketsWhy}</EmptyState>
          ) : (
            <>
              {/* A link with other terms resets the form. */}
              <AuctionForm key={search} pools={all} draft={parseAuctionDraft(search)} />
              <RecentAuctions pools={all} />
            </>
          )
        }
      </Loaded>
    </Narrow>
  )
}
