import { isUnknownAuction, poolsQuery, useAuction, useService } from '@firmquote/react'
import { BaseError } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../copy/words.ts'
import { loadRecentAuctions } from '../../fixing/auctions/recentAuctions.ts'
import { fixHref } from '../../routes.ts'
import { tabStorage } from '../../service/browserStorage.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Narrow } from '../../ui/Narrow.tsx'
import { ErrorState } from '../../ui/Notice.tsx'
import { Auction } from './Auction.tsx'
import styles from './AuctionView.module.css'

/** An open or closed auction, visible to anyone who has its id. */
export function AuctionView({ rfqId }: { rfqId: string }) {
  return (
    <Narrow>
      <Found rfqId={rfqId} />
    </Narrow>
  )
}

function Found({ rfqId }: { rfqId: string }) {
  const { client } = useService()
  const texts = useTexts().auction
  const auction = useAuction({ rfqId })
  const pools = useQuery(poolsQuery(client))
  if (auction.error && auction.data === undefined && isUnknownAuction(auction.error)) {
    return <Gone rfqId={rfqId} error={auction.error} />
  }
  // Amounts cannot be displayed without the pool's token. Once the pools are loaded, only the auction needs refreshing.
  if (auction.data === undefined || pools.data === undefined) {
    return (
      <>
        <h1>{texts.auction}</h1>
        {auction.data === undefined ? (
          <Loaded query={auction} what="auction" rows={6}>
            {() => null}
          </Loaded>
        ) : (
          <Loaded query={pools} what="markets" rows={6}>
            {() => null}
          </Loaded>
        )}
      </>
    )
  }
  const pool = pools.data.find(({ poolId }) => poolId === auction.data.poolId)
  return (
    <Loaded query={auction} what="auction">
      {(data) =>
        pool ? (
          <Auction auction={data} pool={pool} />
        ) : (
          <ErrorState title={texts.marketGone} error={new BaseError('POOL_NOT_FOUND', data.poolId)} />
        )
      }
    </Loaded>
  )
}

/** Shown if the service does not know the auction. This tab may still have the auction's terms. */
function Gone({ rfqId, error }: { rfqId: string; error: Error }) {
  const texts = useTexts().auction
  const known = loadRecentAuctions(tabStorage).find((auction) => auction.rfqId === rfqId)
  return (
    <>
      <h1>{texts.auction}</h1>
      <ErrorState title={texts.notFound} error={error} />
      <p className={styles['after']}>
        <ButtonLink look="main" href={fixHref(known)}>
          {texts.askAgain}
        </ButtonLink>
      </p>
    </>
  )
}
