import { hasTaken, type Pool, poolsQuery, useAuction, useQuote, useService } from '@firmquote/react'
import { BaseError, type RFQResult, type StoredQuote } from '@firmquote/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConnection } from 'wagmi'
import { useSearch } from 'wouter'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { explainError } from '../../copy/explainError.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { auctionFormHref, auctionHref, parseTogether } from '../../routes.ts'
import { priceLimitOf } from '../../service/priceLimit.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Narrow } from '../../ui/Narrow.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { type FoundQuotes, findAuctionQuotes, findStoredQuote } from './findQuote.ts'
import { Offer } from './Offer.tsx'

/** The view for accepting an auction's or a published quote, from its terms to the resulting position. */
export function AcceptanceView({ rfqId, hash }: { rfqId?: string; hash: string }) {
  const acceptance = useAcceptanceTexts()
  const [title, setTitle] = useState(acceptance.title)
  return (
    <Narrow>
      <ViewHead title={title} aside={rfqId !== undefined && <a href={auctionHref(rfqId)}>{acceptance.back}</a>} />
      {rfqId === undefined ? (
        <PublishedQuote hash={hash} onEnd={setTitle} />
      ) : (
        <AuctionQuote rfqId={rfqId} hash={hash} onEnd={setTitle} />
      )}
    </Narrow>
  )
}

/** `onEnd` receives the title of the outcome. */
type Ending = { onEnd: (title: string) => void }

function AuctionQuote({ rfqId, hash, onEnd }: { rfqId: string; hash: string } & Ending) {
  const acceptance = useAcceptanceTexts()
  const named = parseTogether(useSearch())
  const query = useAuction({ rfqId })
  return (
    <Loaded query={query} what="auction" rows={8}>
      {(auction: RFQResult) => {
        const found = findAuctionQuotes(auction, hash, named)
        return found ? <Found {...found} auction={auction} onEnd={onEnd} /> : <Missing text={acceptance.notInAuction} />
      }}
    </Loaded>
  )
}

function PublishedQuote({ hash, onEnd }: { hash: string } & Ending) {
  const acceptance = useAcceptanceTexts()
  const words = useWords()
  const query = useQuote({ hash: hash as `0x${string}` })
  const { address } = useConnection()
  const { data, error } = query
  if (data === undefined && error instanceof BaseError && error.code === 'QUOTE_NOT_FOUND') {
    return <Missing text={explainError(error, words).message} />
  }
  return (
    <Loaded query={query} what="offer" rows={8}>
      {(stored: StoredQuote) => {
        const found = findStoredQuote(stored, address !== undefined && hasTaken(stored.hash, address))
        if (found) return <Found {...found} onEnd={onEnd} />
        const { poolId, seriesKey, notional } = stored.quote
        return (
          <Missing text={acceptance.ended[stored.status]} href={auctionFormHref({ poolId, seriesKey, notional })} />
        )
      }}
    </Loaded>
  )
}

function Found({ auction, ...props }: FoundQuotes & Ending & { auction?: RFQResult }) {
  const { client } = useService()
  const acceptance = useAcceptanceTexts()
  const pools = useQuery(poolsQuery(client))
  return (
    <Loaded query={pools} what="markets" rows={8}>
      {(known: Pool[]) => {
        const [{ signed }] = props.chosen
        const pool = known.find(({ poolId }) => poolId === signed.poolId)
        const expiry = props.expiry ?? pool?.series.find(({ seriesKey }) => seriesKey === signed.seriesKey)?.expiry
        if (!pool || expiry === undefined) return <Missing text={acceptance.unknownTerm} />
        // A published quote is taken in full.
        const limit = { maxVrtAmount: auction ? priceLimitOf(auction, pool) : signed.vrtAmount }
        return <Offer {...props} {...(auction && { auction })} limit={limit} pool={pool} expiry={expiry} />
      }}
    </Loaded>
  )
}

function Missing({ text, href = auctionFormHref() }: { text: string; href?: string }) {
  const { common } = useTexts()
  const acceptance = useAcceptanceTexts()
  return (
    <EmptyState
      title={acceptance.cannot}
      action={
        <ButtonLink look="main" href={href}>
          {common.askForOffers}
        </ButtonLink>
      }
    >
      {text}
    </EmptyState>
  )
}
