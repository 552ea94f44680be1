import {
  type AuctionState,
  type Pool,
  type QuoteStates,
  shareOfLimit,
  useQuoteStates,
  useServerNow,
} from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import { useConnection } from 'wagmi'
import { useWords, type Words } from '../../copy/words.ts'
import { closeOf } from '../../fixing/auctions/closeOf.ts'
import { ChainFailure } from '../../fixing/ChainFailure.tsx'
import { useKnownOffers } from '../../fixing/offers/useKnownOffers.ts'
import { effectiveApyOf } from '../../fixing/outcome/effectiveApy.ts'
import { quoteHref } from '../../routes.ts'
import { priceLimitOf } from '../../service/priceLimit.ts'
import { Amount } from '../../ui/figures.tsx'
import { useDocumentTitle } from '../../ui/useDocumentTitle.ts'
import { Actions } from './Actions.tsx'
import { AskedTerms } from './AskedTerms.tsx'
import styles from './AuctionView.module.css'
import { Fixed } from './Fixed.tsx'
import { NothingToTake } from './NothingToTake.tsx'
import { BestQuote } from './offers/BestQuote.tsx'
import { findPublished } from './offers/findPublished.ts'
import { type JudgedOffers, judgeOffers } from './offers/judgeOffers.ts'
import { Ladder } from './offers/Ladder.tsx'
import { priceOf } from './offers/prices.ts'
import { outcomeOf } from './outcome.ts'
import { AuctionProof } from './proof/AuctionProof.tsx'
import { TellMe } from './TellMe.tsx'
import { termsOfRest } from './termsOfRest.ts'
import { useAuctionVoice } from './useAuctionVoice.ts'

/**
 * An auction from its opening to its outcome: the best quote, which can be taken at any time, all quotes, and what to do
 * if there is nothing to take.
 */
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

  const { best, taken } = judged
  const outcome = outcomeOf(auction, judged)
  const rest = termsOfRest(auction, taken).notional
  const rival = <Published auction={auction} pool={pool} judged={judged} rest={rest} limit={limit} now={now / 1000} />
  const actions = isOpen ? (
    <TellMe auction={auction} pool={pool} />
  ) : (
    <Actions auction={auction} pool={pool} taken={taken} outcome={outcome} />
  )
  return (
    <>
      <div>
        <p className={styles['state']}>{isOpen ? texts.open : texts.closed}</p>
        <h1>
          {texts.fix(<Amount value={auction.notional} token={pool.loanToken} />, words.formats.day(auction.expiry))}
        </h1>
      </div>
      {states.source === 'unknown' && (
        <ChainFailure tone="warning" title={texts.quotes.chainSilent} error={states.error}>
          {texts.quotes.chainSilentWhy}
        </ChainFailure>
      )}
      {auction.interrupted && <p>{texts.quotes.late}</p>}
      {taken.length > 0 && <Fixed auction={auction} pool={pool} taken={taken} isAll={outcome === 'fixed'} />}
      {outcome === 'quotes' || outcome === 'waiting'
        ? (isOpen || best.length > 0) && (
            <BestQuote
              auction={auction}
              pool={pool}
              best={best}
              rest={rest}
              states={states}
              nowSeconds={now / 1000}
              rival={rival}
            />
          )
        : outcome !== 'fixed' && <NothingToTake auction={auction} outcome={outcome} rival={rival} action={actions} />}
      <Ladder auction={auction} pool={pool} judged={judged} />
      {(outcome === 'quotes' || outcome === 'waiting' || (outcome === 'fixed' && !isOpen)) && actions}
      <AskedTerms auction={auction} pool={pool} limit={limit} />
      {!isOpen && <AuctionProof auction={auction} />}
    </>
  )
}

/** A link to a published quote for the same amount that is cheaper than the best quote. */
function Published(props: {
  auction: RFQResult
  pool: Pool
  judged: JudgedOffers
  /** The unfixed part of the request, and the maximum cost of the whole request, in raw units. */
  rest: bigint
  limit: bigint
  now: number
}) {
  const { auction, pool, judged, rest, limit, now } = props
  const { texts, formats } = useWords()
  const { quotes } = texts.auction
  const { address } = useConnection()
  const { bySeries } = useKnownOffers([pool], address, Math.floor(now))
  const price = priceOf(
    auction,
    judged.best.map(({ collected }) => collected),
  )
  // A published quote can only be compared with a quote that has arrived.
  if (!price && auction.status === 'open') return null
  const notional = price?.notional ?? rest
  const most = price ? price.cost - 1n : shareOfLimit(limit, rest, auction)
  const found = findPublished(bySeries.get(auction.seriesKey) ?? [], { notional, most })
  if (!found) return null
  const rate = formats.rate(effectiveApyOf(found, auction.expiry, closeOf(auction)))
  return (
    <p>
      <a href={quoteHref(found.hash)}>{(price ? quotes.cheaper : quotes.published)(rate)}</a>
    </p>
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
