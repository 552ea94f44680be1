import { type AuctionState, type Pool, type QuoteStates, useQuoteStates, useServerNow } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import { useWords, type Words } from '../../copy/words.ts'
import { ChainFailure } from '../../fixing/ChainFailure.tsx'
import { priceLimitOf } from '../../service/priceLimit.ts'
import { Amount } from '../../ui/figures.tsx'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { AskedTerms } from './AskedTerms.tsx'
import styles from './AuctionView.module.css'
import { Live } from './Live.tsx'
import { type JudgedOffers, judgeOffers } from './offers/judgeOffers.ts'
import { priceOf } from './offers/prices.ts'
import { Result } from './Result.tsx'
import { useAuctionVoice } from './useAuctionVoice.ts'

/** An auction: the best offer so far while it is open, and the offers to take after it closes. */
export function Auction({ auction, pool }: { auction: AuctionState; pool: Pool }) {
  const words = useWords()
  const { auction: texts } = words.texts
  const now = useServerNow({ intervalMs: 1_000 })
  const states = useQuoteStates({ quotes: auction.quotes })
  const limit = priceLimitOf(auction, pool)
  const judged = judgeOffers(auction, { ...readingOf(states), limit, now: now / 1000 })
  const isOpen = auction.status === 'open'
  useAuctionVoice(auction, judged.best, pool.loanToken)
  useDocumentTitle(titleOf(auction, judged, now, words))

  return (
    <>
      <div>
        {!isOpen && <p className={styles['state']}>{texts.closed}</p>}
        <h1>
          {texts.fix(<Amount value={auction.notional} token={pool.loanToken} />, words.formats.day(auction.expiry))}
        </h1>
      </div>
      {states.source === 'unknown' && (
        <ChainFailure tone="warning" title={texts.offers.chainSilent} error={states.error}>
          {texts.offers.chainSilentWhy}
        </ChainFailure>
      )}
      {isOpen ? (
        <Live auction={auction} pool={pool} judged={judged} />
      ) : (
        <Result auction={auction} pool={pool} judged={judged} states={states} nowSeconds={now / 1000} />
      )}
      <AskedTerms auction={auction} pool={pool} limit={limit} />
    </>
  )
}

function readingOf(states: QuoteStates): Pick<Parameters<typeof judgeOffers>[1], 'borrower' | 'states' | 'current'> {
  if (states.source === 'service') return { states: null }
  const reading = states.source === 'chain' ? states : states.source === 'unknown' ? states.last : null
  return { borrower: reading?.borrower, states: reading?.states ?? new Map(), current: states.source === 'chain' }
}

function titleOf(auction: RFQResult, { best }: JudgedOffers, now: number, { texts, formats }: Words): string {
  const { status, closesAt } = auction
  if (status === 'open') return texts.auction.tabOpen(formats.duration((closesAt - now) / 1000))
  const price = priceOf(
    auction,
    best.map(({ collected }) => collected),
  )
  return price ? texts.auction.tabBest(formats.rate(price.effectiveApy)) : texts.auction.tabNone
}
