import { hasTaken, type Pool, poolsQuery, quoteQuery, useAuction, useService } from '@firmquote/react'
import { BaseError, type RFQResult, type StoredQuote } from '@firmquote/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Hex } from 'viem'
import { useConnection } from 'wagmi'
import { useSearch } from 'wouter'
import { useAcceptanceTexts } from '../../copy/acceptanceTexts.ts'
import { explainError } from '../../copy/explainError.ts'
import { useTexts, useWords } from '../../copy/words.ts'
import { auctionHref, fixHref, parseTogether } from '../../routes.ts'
import { priceLimitOf } from '../../service/priceLimit.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import styles from './AcceptanceView.module.css'
import { type FoundQuotes, findAuctionQuotes, findStoredQuotes, mostTakes } from './findQuote.ts'
import { Offer } from './Offer.tsx'

/** The review of an auction's or a published quote, from its terms to the resulting position. */
export function AcceptanceView({ rfqId, hash }: { rfqId?: string; hash: string }) {
  const acceptance = useAcceptanceTexts()
  const [title, setTitle] = useState(acceptance.title)
  return (
    <div className={styles['view']}>
      <ViewHead title={title} aside={rfqId !== undefined && <a href={auctionHref(rfqId)}>{acceptance.back}</a>} />
      {rfqId === undefined ? (
        <PublishedQuote hash={hash} onTitle={setTitle} />
      ) : (
        <AuctionQuote rfqId={rfqId} hash={hash} onTitle={setTitle} />
      )}
    </div>
  )
}

/** `onTitle` receives the view's title. */
type Titled = { onTitle: (title: string) => void }

function AuctionQuote({ rfqId, hash, onTitle }: { rfqId: string; hash: string } & Titled) {
  const acceptance = useAcceptanceTexts()
  const named = parseTogether(useSearch())
  const query = useAuction({ rfqId })
  return (
    <Loaded query={query} what="auction" rows={8}>
      {(auction: RFQResult) => {
        const found = findAuctionQuotes(auction, hash, named)
        return found ? (
          <Found {...found} auction={auction} onTitle={onTitle} />
        ) : (
          <Missing text={acceptance.notInAuction} />
        )
      }}
    </Loaded>
  )
}

function PublishedQuote({ hash, onTitle }: { hash: string } & Titled) {
  const { client } = useService()
  const acceptance = useAcceptanceTexts()
  const words = useWords()
  const { address } = useConnection()
  const hashes = [...new Set([hash as Hex, ...parseTogether(useSearch())])].slice(0, mostTakes)
  const [first, ...more] = useQueries({
    queries: hashes.map((one) => ({ ...quoteQuery(client, one), refetchInterval: 5_000 })),
  })
  if (!first) return null
  if (first.data === undefined && first.error instanceof BaseError && first.error.code === 'QUOTE_NOT_FOUND') {
    return <Missing text={explainError(first.error, words).message} />
  }
  // A quote that cannot be loaded is left out.
  const waiting = more.find(({ isPending }) => isPending)
  return (
    <Loaded query={waiting ?? first} what="offer" rows={8}>
      {() => {
        const stored = [first, ...more].flatMap(({ data }) => data ?? [])
        const found = findStoredQuotes(stored, (one) => address !== undefined && hasTaken(one, address))
        if (found) return <Found {...found} onTitle={onTitle} />
        const [{ quote, status }] = stored as [StoredQuote]
        const { poolId, seriesKey, notional } = quote
        return <Missing text={acceptance.ended[status]} href={fixHref({ poolId, seriesKey, notional })} />
      }}
    </Loaded>
  )
}

function Found({ auction, limit, ...props }: FoundQuotes & Titled & { auction?: RFQResult; limit?: bigint }) {
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
        const maxVrtAmount = limit ?? (auction ? priceLimitOf(auction, pool) : signed.vrtAmount)
        return <Offer {...props} {...(auction && { auction })} limit={{ maxVrtAmount }} pool={pool} expiry={expiry} />
      }}
    </Loaded>
  )
}

function Missing({ text, href = fixHref() }: { text: string; href?: string }) {
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
