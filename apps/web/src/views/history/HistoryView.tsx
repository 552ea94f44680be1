import { type Pool, poolsQuery, recentQuery, useChain, useServerNow, useService } from '@firmquote/react'
import type { RFQObservation } from '@firmquote/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { marketName } from '../../copy/marketName.ts'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { RatesOverTime } from '../../fixing/offers/RatesOverTime.tsx'
import { fixHref, type HistoryFilters, historyHref } from '../../routes.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Panel.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { AuctionTable } from './AuctionTable.tsx'
import { FilterBar } from './FilterBar.tsx'
import { groupAuctions } from './groupAuctions.ts'
import styles from './HistoryView.module.css'
import {
  daysOf,
  isFiltered,
  listChoices,
  parseFilters,
  pickMine,
  pickObservations,
  poolOf,
  serviceFilters,
} from './historyFilters.ts'
import { useOfferTakers } from './useOfferTakers.ts'

/** Number of offers whose takers are loaded automatically. */
const lookedThroughAtOnce = 20

/** Past rates and recent auction observations. The filters are stored in the address. */
export function HistoryView() {
  const { client } = useService()
  const { history } = useRatesTexts()
  const { title, lead } = useTexts().openings.history
  const [, navigate] = useLocation()
  const filters = parseFilters(new URLSearchParams(useSearch()))
  const pools = useQuery(poolsQuery(client))
  const recent = useQuery({
    ...recentQuery(client, serviceFilters(filters, pools.data ?? [])),
    placeholderData: keepPreviousData,
  })
  const account = useAccount()
  const change = (next: HistoryFilters) => navigate(historyHref(next).slice(1), { replace: true })
  return (
    <>
      <ViewHead title={title}>{lead}</ViewHead>
      <Loaded query={pools} what="markets" rows={8}>
        {(known) => (
          <>
            <FilterBar
              pools={known}
              filters={filters}
              isConnected={account !== null}
              choices={listChoices(recent.data ?? [], known, filters)}
              onChange={change}
            >
              {isFiltered(filters) && <Button onClick={() => change({})}>{history.reset}</Button>}
            </FilterBar>
            <Rates pools={known} filters={filters} />
            <Section title={history.recent} lead={history.recentLead}>
              <Loaded query={recent} what="recentOffers" rows={8}>
                {(seen) => (
                  <Offers
                    seen={seen}
                    settled={!recent.isPlaceholderData}
                    pools={known}
                    filters={filters}
                    onChange={change}
                  />
                )}
              </Loaded>
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Returns the connected account, or null. */
function useAccount() {
  const chain = useChain()
  return chain.state === 'ready' ? chain.client.account.address : null
}

function Rates({ pools, filters }: { pools: readonly Pool[]; filters: HistoryFilters }) {
  const words = useWords()
  const { overTime } = useRatesTexts().history
  const pool = poolOf(pools, filters)
  if (!pool) return null
  const series = pool.series.find(({ expiry }) => expiry === filters.expiry)
  return (
    <Section title={overTime.title} lead={overTime.lead(marketName(pool, words))}>
      <RatesOverTime pool={pool} seriesKey={series?.seriesKey} days={daysOf(filters)} />
    </Section>
  )
}

function Offers(props: {
  seen: RFQObservation[]
  /** Whether the data matches the current filters. */
  settled: boolean
  pools: Pool[]
  filters: HistoryFilters
  onChange: (filters: HistoryFilters) => void
}) {
  const { history } = useRatesTexts()
  const { common } = useTexts()
  const { seen, settled, pools, filters, onChange } = props
  const account = useAccount()
  const mine = (filters.mine ?? false) && account !== null
  const all = pickObservations(seen, filters, useServerNow({ intervalMs: 60_000 }))
  // Each offer's taker requires a separate request, so the rest are loaded on demand.
  const [many, setMany] = useState(lookedThroughAtOnce)
  const looked = mine ? all.slice(0, many) : all
  const { takers, unknown, isPending } = useOfferTakers(
    looked.map(({ hash }) => hash),
    mine,
  )
  const rows = mine ? pickMine(looked, takers, account) : all
  useResultVoice(filters, settled && !isPending ? groupAuctions(rows).length : null)
  if (seen.length === 0 && !isFiltered(filters)) {
    return (
      <EmptyState
        title={history.none}
        action={
          <ButtonLink look="main" href={fixHref({})}>
            {common.askForOffers}
          </ButtonLink>
        }
      >
        {history.noneWhy}
      </EmptyState>
    )
  }
  const startOver = () => {
    onChange({})
    // Move focus, because the button is about to be removed.
    document.getElementById('main')?.focus()
  }
  return (
    <>
      {mine && (
        <p className={styles['note']}>
          {history.mineWhy} {unknown > 0 && history.mineUnknown(unknown)}{' '}
          {looked.length < all.length && history.mineLooked(looked.length, all.length)}
        </p>
      )}
      {rows.length > 0 ? (
        <AuctionTable rows={rows} pools={pools} />
      ) : isPending ? (
        <Skeleton rows={8} what="recentOffers" />
      ) : (
        <EmptyState
          title={mine && all.length > 0 ? history.noMine : history.noMatch}
          action={<Button onClick={startOver}>{history.showAll}</Button>}
        />
      )}
      {looked.length < all.length && (
        <p className={styles['note']}>
          <Button busy={isPending} onClick={() => setMany(many + lookedThroughAtOnce)}>
            {history.lookFurther}
          </Button>
        </p>
      )}
    </>
  )
}

/** Announces the number of results after a filter change, but not for each new result. */
function useResultVoice(filters: HistoryFilters, count: number | null): void {
  const announce = useAnnounce()
  const { history } = useRatesTexts()
  const address = historyHref(filters)
  const said = useRef(address)
  useEffect(() => {
    if (count === null || said.current === address) return
    said.current = address
    announce(history.saidMatches(count))
  }, [address, count, announce, history])
}
