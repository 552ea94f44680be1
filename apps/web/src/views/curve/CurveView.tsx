import { poolsQuery, useService } from '@firmquote/react'
import { useQuery } from '@tanstack/react-query'
import { useRatesTexts } from '../../copy/ratesTexts.ts'
import { useTexts } from '../../copy/words.ts'
import { useHeldPositions } from '../../fixing/debt/useHeldPositions.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { PoolCurve } from './PoolCurve.tsx'

/** The yield curve: the cost of a fixed rate for each maturity with quotes. */
export function CurveView() {
  const { client } = useService()
  const { curve } = useRatesTexts()
  const { title, lead } = useTexts().openings.curve
  const pools = useQuery(poolsQuery(client))
  const { account, positions, isEarly } = useHeldPositions()
  return (
    <>
      <ViewHead title={title}>{lead}</ViewHead>
      <Loaded query={pools} what="markets" rows={6}>
        {([first, ...rest]) => {
          if (!first) return <EmptyState title={curve.noMarkets}>{curve.noMarketsWhy}</EmptyState>
          if (isEarly) return <Skeleton rows={6} what="account" />
          return <PoolCurve pools={[first, ...rest]} account={account} positions={positions} />
        }}
      </Loaded>
    </>
  )
}
