import type { AuctionState, Token } from '@firmquote/react'
import { useEffect, useRef } from 'react'
import { useWords } from '../../copy/words.ts'
import { useAnnounce } from '../../ui/announce.tsx'
import { describeClose, describePrice } from './describeClose.ts'
import type { JudgedOffer } from './offers/judgeOffers.ts'
import { priceOf } from './offers/prices.ts'
import { allAnswered } from './outcome.ts'

/** Milliseconds between announcements, so that screen readers can finish each one. */
const pauseMs = 3_000

/**
 * Announces the best quote so far, at once when all makers have answered, occasional improvements and the close, if the
 * visitor saw the auction open.
 */
export function useAuctionVoice(auction: AuctionState, best: readonly JudgedOffer[], token: Token): void {
  const announce = useAnnounce()
  const words = useWords()
  const { said } = words.texts.auction
  const { status } = auction
  const price = priceOf(
    auction,
    best.map(({ collected }) => collected),
  )
  const told = useRef({ status, apy: Number.POSITIVE_INFINITY, at: performance.now() })
  useEffect(() => {
    const { current: before } = told
    if (before.status === 'open' && status === 'closed') announce(describeClose(auction, best, token, words))
    else if (status === 'open' && price && best.every(({ basis }) => basis !== 'none')) {
      const now = performance.now()
      const isDue = allAnswered(auction) || now - before.at >= pauseMs
      if (price.effectiveApy < before.apy && isDue) {
        announce(said.best(...describePrice(price, token, words)))
        told.current = { status, apy: price.effectiveApy, at: now }
      }
    }
    told.current = { ...told.current, status }
  })
}
