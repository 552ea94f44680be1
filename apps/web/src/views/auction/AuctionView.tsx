import { toRfqId } from '@firmquote/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { auctionFormHref } from '../../routes.ts'
import { followAuction } from '../../service/auctions.ts'
import { tabStorage } from '../../service/browserStorage.ts'
import { isUnknownAuction, poolsQuery, rfqQuery } from '../../service/queries.ts'
import { useService } from '../../service/serviceContext.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import { Auction } from './Auction.tsx'
import styles from './AuctionView.module.css'
import { loadRecentAuctions } from './recentAuctions.ts'

/** One auction, while it runs and after it, for everybody who has its id, also after a reload. */
export function AuctionView({ rfqId }: { rfqId: string }) {
  const { client } = useService()
  const auction = useQuery(rfqQuery(client, rfqId))
  const pools = useQuery(poolsQuery(client))
  const cache = useQueryClient()
  const isOpen = auction.data?.status === 'open'
  useEffect(() => {
    if (isOpen) followAuction(client, cache, toRfqId(rfqId))
  }, [isOpen, client, cache, rfqId])
  if (auction.error && auction.data === undefined && isUnknownAuction(auction.error)) {
    return <Gone rfqId={rfqId} error={auction.error} />
  }
  // Amounts mean nothing without the pool's token; once it is known, only the auction itself has to be up to date.
  if (auction.data === undefined || pools.data === undefined) {
    return (
      <>
        <h1>Auction</h1>
        {auction.data === undefined ? (
          <Loaded query={auction} what="the auction" rows={6}>
            {() => null}
          </Loaded>
        ) : (
          <Loaded query={pools} what="the pools" rows={6}>
            {() => null}
          </Loaded>
        )}
      </>
    )
  }
  const pool = pools.data.find(({ poolId }) => poolId === auction.data.poolId)
  return (
    <Loaded query={auction} what="the auction">
      {(data) =>
        pool ? (
          <Auction auction={data} pool={pool} />
        ) : (
          <ErrorState
            title="This auction's pool is not listed any more"
            error={new Error(`Its id is ${data.poolId}.`)}
          />
        )
      }
    </Loaded>
  )
}

/** The service has no record of it; this tab may still know what it was about. */
function Gone({ rfqId, error }: { rfqId: string; error: Error }) {
  const known = loadRecentAuctions(tabStorage).find((auction) => auction.rfqId === rfqId)
  return (
    <>
      <h1>Auction</h1>
      <ErrorState title="This auction cannot be found" error={error} />
      <p className={styles['after']}>
        <ButtonLink look="main" href={auctionFormHref(known)}>
          Ask again
        </ButtonLink>
      </p>
    </>
  )
}
