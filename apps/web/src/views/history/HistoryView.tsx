import type { RFQObservation } from '@firmquote/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { auctionFormHref, type HistoryFilters, historyHref } from '../../routes.ts'
import { poolsQuery, recentQuery } from '../../service/queries.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { FilterBar } from './FilterBar.tsx'
import { isFiltered, listChoices, parseFilters, pickObservations, serviceFilters } from './historyFilters.ts'
import { ObservationTable } from './ObservationTable.tsx'

/** What auctions have seen lately, for discovery. The filters stand in the address. */
export function HistoryView() {
  const { client } = useService()
  const [, navigate] = useLocation()
  const filters = parseFilters(new URLSearchParams(useSearch()))
  const pools = useQuery(poolsQuery(client))
  const recent = useQuery({
    ...recentQuery(client, serviceFilters(filters, pools.data ?? [])),
    placeholderData: keepPreviousData,
  })
  const change = (next: HistoryFilters) => navigate(historyHref(next).slice(1), { replace: true })
  return (
    <>
      <ViewHead title="History">
        Quotes that auctions have seen lately, all of them indicative: each belongs to the borrower who asked for it,
        and cannot be taken from here. They show what makers charge.
      </ViewHead>
      <Panel
        title="Recent quotes"
        lead="The newest hundred at most. Rates and costs are those of the time at which each was seen."
      >
        <Loaded query={pools} what="pools" rows={8}>
          {(known) => (
            <Loaded query={recent} what="recent quotes" rows={8}>
              {(seen) => (
                <Filtered
                  seen={seen}
                  settled={!recent.isPlaceholderData}
                  pools={known}
                  filters={filters}
                  onChange={change}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function Filtered(props: {
  seen: RFQObservation[]
  /** Whether this is the answer to these filters, and not to those before. */
  settled: boolean
  pools: Pool[]
  filters: HistoryFilters
  onChange: (filters: HistoryFilters) => void
}) {
  const { seen, settled, pools, filters, onChange } = props
  const rows = pickObservations(seen, filters)
  useResultVoice(filters, settled ? rows.length : null)
  if (seen.length === 0 && !isFiltered(filters)) {
    return (
      <EmptyState
        title="No auction has seen a quote yet"
        action={
          <ButtonLink look="main" href={auctionFormHref()}>
            Run an auction
          </ButtonLink>
        }
      >
        It takes 15 seconds and binds you to nothing. What makers quote in it stands here afterwards.
      </EmptyState>
    )
  }
  const startOver = () => {
    onChange({})
    // This button goes away, and the focus would with it.
    document.getElementById('main')?.focus()
  }
  return (
    <>
      <FilterBar pools={pools} filters={filters} choices={listChoices(seen, pools, filters)} onChange={onChange}>
        <Button onClick={() => onChange({})}>Reset filters</Button>
      </FilterBar>
      {rows.length === 0 ? (
        <EmptyState
          title="Nothing that was seen lately matches these filters"
          action={<Button onClick={startOver}>Show all</Button>}
        />
      ) : (
        <ObservationTable rows={rows} pools={pools} filters={filters} />
      )}
    </>
  )
}

/** Says how many there are after a filter has changed, not whenever one more comes in. */
function useResultVoice(filters: HistoryFilters, count: number | null): void {
  const announce = useAnnounce()
  const address = historyHref(filters)
  const said = useRef(address)
  useEffect(() => {
    if (count === null || said.current === address) return
    said.current = address
    announce(`${count} ${count === 1 ? 'quote matches' : 'quotes match'}.`)
  }, [address, count, announce])
}
