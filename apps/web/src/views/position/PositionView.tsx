import { type Pool, poolsQuery, positionQuery, useService } from '@firmquote/react'
import type { AccountPositions } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import type { Address } from 'viem'
import { useConnection } from 'wagmi'
import { usePositionsTexts } from '../../copy/positionsTexts.ts'
import { parsePositionId, positionsHref } from '../../routes.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Narrow } from '../../ui/Narrow.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { NoWallet } from './NoWallet.tsx'
import { Position } from './Position.tsx'

/** One of the account's positions, from its opening to its payout. */
export function PositionView({ id }: { id: string }) {
  const texts = usePositionsTexts()
  const { address } = useConnection()
  const positionId = parsePositionId(id)
  const title = positionId === null ? texts.missing : texts.one(positionId.toString())
  useDocumentTitle(title)
  return (
    <Narrow>
      <ViewHead title={title} aside={<a href={positionsHref}>{texts.back}</a>} />
      {positionId !== null && (address ? <OfAccount address={address} positionId={positionId} /> : <NoWallet />)}
    </Narrow>
  )
}

function OfAccount({ address, positionId }: { address: Address; positionId: bigint }) {
  const texts = usePositionsTexts()
  const { client } = useService()
  const account = useQuery(positionQuery(client, address, positionId))
  const pools = useQuery(poolsQuery(client))
  return (
    <Loaded query={pools} what="markets" rows={8}>
      {(known: Pool[]) => (
        <Loaded query={account} what="position" rows={8}>
          {(found: AccountPositions) => {
            const [position] = found.positions
            if (!position) return <EmptyState title={texts.missing}>{texts.missingWhy}</EmptyState>
            const pool = known.find(({ poolId }) => poolId === position.poolId)
            return pool ? (
              <Position account={found} position={position} pool={pool} />
            ) : (
              <EmptyState title={texts.unknownMarket} />
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}
