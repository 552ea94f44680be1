import type { RFQResult, StoredQuote } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { hasTransaction } from '../../chain/useTransaction.ts'
import { auctionFormHref, auctionHref } from '../../routes.ts'
import { priceLimitOf, shareOfLimit } from '../../service/priceLimit.ts'
import { poolsQuery, quoteQuery, rfqQuery } from '../../service/queries.ts'
import { type Pool, useService } from '../../service/serviceContext.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { endedWords, type FoundQuote, findAuctionQuote, findStoredQuote } from './findQuote.ts'
import { Offer } from './Offer.tsx'

/** One quote from its terms to the position that it has become: of an auction, or a published one. */
export function AcceptanceView({ rfqId, hash }: { rfqId?: string; hash: string }) {
  return (
    <>
      <ViewHead
        title="Review and take"
        aside={rfqId !== undefined && <a href={auctionHref(rfqId)}>Back to the auction</a>}
      />
      {rfqId === undefined ? <PublishedQuote hash={hash} /> : <AuctionQuote rfqId={rfqId} hash={hash} />}
    </>
  )
}

function AuctionQuote({ rfqId, hash }: { rfqId: string; hash: string }) {
  const { client } = useService()
  const query = useQuery(rfqQuery(client, rfqId))
  return (
    <Loaded query={query} what="the auction" rows={8}>
      {(auction: RFQResult) => {
        const found = findAuctionQuote(auction, hash)
        return found ? <Found {...found} auction={auction} /> : <Missing text="This auction has no such quote." />
      }}
    </Loaded>
  )
}

function PublishedQuote({ hash }: { hash: string }) {
  const { client } = useService()
  const query = useQuery({ ...quoteQuery(client, hash as `0x${string}`), refetchInterval: 5_000 })
  return (
    <Loaded query={query} what="the quote" rows={8}>
      {(stored: StoredQuote) => {
        const found = findStoredQuote(stored, hasTransaction(stored.hash))
        if (found) return <Found {...found} />
        const { poolId, seriesKey, notional } = stored.quote
        return <Missing text={endedWords(stored)} href={auctionFormHref({ poolId, seriesKey, notional })} />
      }}
    </Loaded>
  )
}

function Found({ auction, ...props }: FoundQuote & { auction?: RFQResult }) {
  const { client } = useService()
  const pools = useQuery(poolsQuery(client))
  return (
    <Loaded query={pools} what="the pools" rows={8}>
      {(known: Pool[]) => {
        const pool = known.find(({ poolId }) => poolId === props.signed.poolId)
        const expiry =
          props.expiry ?? pool?.series.find(({ seriesKey }) => seriesKey === props.signed.seriesKey)?.expiry
        if (!pool || expiry === undefined)
          return <Missing text="Its series has ended, or its pool is not known here." />
        const { notional } = props.signed
        const limit = auction && { maxVrtAmount: shareOfLimit(priceLimitOf(auction, pool), notional, auction) }
        const restHref = auction && notional < auction.notional ? auctionHref(auction.rfqId) : null
        return (
          <Offer {...props} request={{ ...props.request, ...limit }} pool={pool} expiry={expiry} restHref={restHref} />
        )
      }}
    </Loaded>
  )
}

function Missing({ text, href = auctionFormHref() }: { text: string; href?: string }) {
  return (
    <EmptyState
      title="This quote cannot be taken"
      action={
        <ButtonLink look="main" href={href}>
          Ask for quotes
        </ButtonLink>
      }
    >
      {text}
    </EmptyState>
  )
}
