import { useQuery } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { parseAuctionDraft } from '../../routes.ts'
import { poolsQuery } from '../../service/queries.ts'
import { useService } from '../../service/serviceContext.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { AuctionForm } from './AuctionForm.tsx'
import { RecentAuctions } from './RecentAuctions.tsx'

/** Where a borrower asks for a fixed rate. */
export function AuctionFormView() {
  const { client, config } = useService()
  const search = useSearch()
  const pools = useQuery(poolsQuery(client))
  return (
    <>
      <ViewHead title="Ask for a fixed rate">
        Makers have {Math.round(config.auction.durationMs / 1000)} seconds to send you firm quotes. Asking costs nothing
        and signs nothing; you take a quote afterwards, or none.
      </ViewHead>
      <Loaded query={pools} what="pools" rows={6}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState title="There is no pool yet">
              Rates can be fixed as soon as the service knows a pool.
            </EmptyState>
          ) : (
            <>
              {/* A link to the form with other terms is another form. */}
              <AuctionForm key={search} pools={all} draft={parseAuctionDraft(search)} />
              <RecentAuctions pools={all} />
            </>
          )
        }
      </Loaded>
    </>
  )
}
