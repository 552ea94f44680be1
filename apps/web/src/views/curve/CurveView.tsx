import { poolsQuery, useChain, usePositions, useService } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../copy/words.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { PoolCurve } from './PoolCurve.tsx'

/** The yield curve: the cost of a fixed rate for each maturity with offers. */
export function CurveView() {
  const { client } = useService()
  const { curve } = useTexts()
  const pools = useQuery(poolsQuery(client))
  const chain = useChain()
  const account = chain.state === 'ready' ? chain.client.account.address : undefined
  const positions = usePositions({ address: account })
  const held = useHeld(positions.data)
  // Wait for the debt, because loading it later would change the size while the visitor is reading.
  const isEarly = chain.state === 'connecting' || positions.isLoading
  return (
    <>
      <ViewHead title={curve.title}>{curve.lead}</ViewHead>
      <Loaded query={pools} what="markets" rows={6}>
        {([first, ...rest]) => {
          if (!first) return <EmptyState title={curve.noMarkets}>{curve.noMarketsWhy}</EmptyState>
          if (isEarly) return <Skeleton rows={6} what="account" />
          return <PoolCurve pools={[first, ...rest]} account={account} positions={held ?? null} />
        }}
      </Loaded>
    </>
  )
}

/**
 * Returns the debt as first loaded. The debt grows with each block, which would change the size while the visitor is
 * reading.
 */
function useHeld(positions: AccountPositions | undefined): AccountPositions | undefined {
  const [held, setHeld] = useState(positions)
  if (fixedOf(held) !== fixedOf(positions)) setHeld(positions)
  return held
}

/** Returns a key that changes when the account fixes a rate or a different account connects. */
function fixedOf(known: AccountPositions | undefined): string {
  return known ? [known.address, ...known.positions.map(({ positionId }) => positionId)].join() : ''
}
