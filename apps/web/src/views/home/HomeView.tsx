import { poolsQuery, useService } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useConnection } from 'wagmi'
import { useSearch } from 'wouter'
import { useTexts } from '../../copy/words.ts'
import { useKnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { parseAuctionDraft } from '../../routes.ts'
import { isUnanswered } from '../../service/isUnanswered.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { LoadingView } from '../../ui/LoadingView.tsx'
import { loadView } from '../../ui/loadView.ts'
import { EmptyState, ErrorState } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useFailure } from '../../ui/useFailure.ts'
import { FixCard } from './FixCard.tsx'
import { HomeHead } from './HomeHead.tsx'
import styles from './HomeView.module.css'
import { RecentAuctions } from './RecentAuctions.tsx'

// Loaded after the first view.
const Account = loadView(async () => (await import('./Account.tsx')).Account)

/** The home view: what fixing a rate costs or, with a wallet, the account's debts and what fixing them costs. */
export function HomeView() {
  const { client } = useService()
  const { home } = useTexts()
  const pools = useQuery(poolsQuery(client))
  const { address, status } = useConnection()
  const now = useAsOf(pools)
  const offers = useKnownOffers(pools.data ?? [], address, now)
  // Without markets there is nothing else to show, so a single panel explains the error.
  const failed = useFailure(pools) !== null && pools.data === undefined
  // A wallet connected before the reload is about to reconnect.
  const returning = address === undefined && status === 'reconnecting'
  const search = useSearch()
  return (
    <>
      <HomeHead connected={address !== undefined || returning} />
      {!failed && offers.error && !isUnanswered(offers.error) && (
        <ErrorState error={offers.error} title={home.ratesMissing} />
      )}
      <Loaded query={pools} what="markets" rows={9}>
        {([first, ...others]) => {
          if (!first) return <EmptyState title={home.noMarkets}>{home.noMarketsWhy}</EmptyState>
          if (returning) return <Skeleton rows={9} what="account" />
          const shown = { pools: [first, ...others] as const, offers, now, draft: parseAuctionDraft(search) }
          return (
            <>
              {/* Another account, and a link with other terms, reset the cards. */}
              {address === undefined ? (
                <div className={styles['card']}>
                  <FixCard key={search} {...shown} />
                </div>
              ) : (
                <Suspense fallback={<LoadingView rows={9} what="account" />}>
                  <Account key={`${address} ${search}`} address={address} {...shown} />
                </Suspense>
              )}
              <RecentAuctions pools={shown.pools} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}
