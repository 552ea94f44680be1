import type { Token } from '@firmquote/react'
import type { RFQResult } from '@firmquote/sdk'
import type { Words } from '../../copy/words.ts'
import type { JudgedOffer } from './offers/judgeOffers.ts'
import { priceOf } from './offers/prices.ts'

/** Describes a price by its rate and cost. Pure. */
export function describePrice(
  { effectiveApy, cost }: { effectiveApy: number; cost: bigint },
  token: Token,
  { formats }: Words,
): [rate: string, cost: string] {
  return [formats.rate(effectiveApy), formats.withSymbol(formats.cost(cost, token), token)]
}

/** Returns an announcement that an auction has closed. Pure. */
export function describeClose(
  auction: Pick<RFQResult, 'quotes' | 'closedAt' | 'closesAt' | 'expiry'>,
  best: readonly JudgedOffer[],
  token: Token,
  words: Words,
): string {
  const { said } = words.texts.auction
  const { quotes } = auction
  const price = priceOf(
    auction,
    best.map(({ collected }) => collected),
  )
  if (price) return said.closed(quotes.length, ...describePrice(price, token, words))
  return quotes.length === 0 ? said.closedEmpty : said.closedNone
}
