import { type Pool, poolsQuery, useService } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useConnection } from 'wagmi'
import { useSearch } from 'wouter'
import { useTexts } from '../../copy/words.ts'
import { type KnownOffers, useKnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { useAsOf } from '../../fixing/useAsOf.ts'
import { type AuctionDraft, parseAuctionDraft } from '../../routes.ts'
import { isUnanswered } from '../../service/isUnanswered.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { LoadingView } from '../../ui/LoadingView.tsx'
import { loadView } from '../../ui/loadView.ts'
import { EmptyState, ErrorState } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { useFailure } from '../../ui/useFailure.ts'
import { Calculator } from './Calculator.tsx'
import { exampleSize } from './exampleSize.ts'
import { HomeHead } from './HomeHead.tsx'
import { Steps } from './Steps.tsx'
import { useCalculator } from './useCalculator.ts'

// Loaded after the first view.
const Account = loadView(async () => (await import('./Account.tsx')).Account)
const FloatingHistory = loadView(async () => (await import('./FloatingHistory.tsx')).FloatingHistory)
const TermGrid = loadView(async () => (await import('./TermGrid.tsx')).TermGrid)

/** The home view: the cost of fixing and, with a wallet, the account's loans. */
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
  const connected = address !== undefined || returning
  const search = useSearch()
  const draft = parseAuctionDraft(search)
  const isDrafted = draft.notional !== undefined
  const account = address !== undefined && !failed && (
    <Suspense fallback={<LoadingView rows={9} what="account" />}>
      <Account address={address} pools={pools} offers={offers} now={now} />
    </Suspense>
  )
  return (
    <>
      <HomeHead connected={connected} />
      {!failed && offers.error && !isUnanswered(offers.error) && (
        <ErrorState error={offers.error} title={home.ratesMissing} />
      )}
      {!isDrafted && returning && <Skeleton rows={9} what="account" />}
      {!isDrafted && account}
      <Loaded query={pools} what="markets" rows={16}>
        {([first, ...others]) =>
          first ? (
            // A link with other terms resets the calculator.
            <Start key={search} pools={[first, ...others]} {...{ offers, now, connected, draft }} />
          ) : (
            <EmptyState title={home.noMarkets}>{home.noMarketsWhy}</EmptyState>
          )
        }
      </Loaded>
      {isDrafted && account}
    </>
  )
}

function Start(props: {
  pools: readonly [Pool, ...Pool[]]
  offers: KnownOffers
  now: number
  connected: boolean
  draft: AuctionDraft
}) {
  const { pools, offers, now, connected, draft } = props
  const calculation = useCalculator(pools, offers, now, draft)
  const { pool, term, size } = calculation
  const price = size === null || offers.pending ? null : (term?.price ?? null)
  return (
    <>
      <Calculator
        calculation={calculation}
        pools={pools}
        offers={offers}
        now={now}
        aside={connected && draft.notional === undefined}
        chart={
          <Suspense fallback={<LoadingView rows={8} what="history" />}>
            <FloatingHistory pool={pool} price={price} />
          </Suspense>
        }
      />
      {!connected && <Steps />}
      <Suspense fallback={<LoadingView rows={8} what="rates" />}>
        <TermGrid pools={pools} offers={offers} size={size ?? exampleSize(pool)} of={pool} now={now} />
      </Suspense>
    </>
  )
}
