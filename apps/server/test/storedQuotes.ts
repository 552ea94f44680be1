import { type RFQ, type RfqId, type SignedQuote, toRfqId } from '@firmquote/core'
import { maxUint256 } from '@firmquote/core/utils'
import { exampleQuote } from '@firmquote/test-support/exampleQuote'
import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import type { AcceptedQuote, AuctionRecord } from '../src/domain/auctionRecord.ts'
import { publicRfqId } from '../src/domain/rfqIds.ts'
import type { AuctionKey, NewAuction, NewAuctionQuote, NewClose, NewQuote, Store } from '../src/ports/store.ts'

/** Creation time of the test quotes, in Unix seconds. */
export const now = 1_767_225_600n
export const maker = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
export const other = getAddress('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')
export const poolId: Hex = `0x${'22'.repeat(32)}`
export const seriesKey: Hex = `0x${'33'.repeat(32)}`
export const rfqId = toRfqId('ab'.repeat(16))

/** Returns the hash of the quote with this number. */
export const hashOf = (n: number): Hex => numberToHex(n, { size: 32 })

/** Creates a quote whose number determines its hash, time and rate. */
export function newQuote(n: number, terms: Partial<SignedQuote> = {}, rest: Partial<NewQuote> = {}): NewQuote {
  return {
    hash: hashOf(n),
    quote: exampleQuote({ maker, vrtAmount: 10n, deadline: now + 60n, salt: hashOf(n), ...terms }),
    apr: n,
    createdAt: Number(now) * 1000 + n,
    ...rest,
  }
}

/** The account with this number. */
export const makerOf = (n: number): Address => getAddress(numberToHex(n + 1, { size: 20 }))

/** Opening and closing times of the test auctions, in Unix milliseconds. */
export const openedAt = Number(now) * 1000
export const closesAt = openedAt + 15_000

/** A new auction. */
export function newAuction(
  auction: RfqId = rfqId,
  terms: Partial<RFQ> = {},
  key: AuctionKey | null = null,
): NewAuction {
  const rfq: RFQ = {
    rfqId: auction,
    poolId,
    seriesKey,
    expiry: Number(now) + 86_400,
    notional: maxUint256,
    maxVrtAmount: 7n,
    taker: other,
    openedAt,
    closesAt,
    ...terms,
  }
  return { rfq, publicRfqId: publicRfqId(auction), backers: 4, key }
}

/**
 * A quote in an auction. Each number implies a different maker. Quotes with higher numbers arrive later and have higher
 * rates.
 */
export function newAuctionQuote(
  n: number,
  auction: RfqId = rfqId,
  terms: Partial<SignedQuote> = {},
  rest: Partial<NewAuctionQuote> = {},
): NewAuctionQuote {
  const { createdAt: receivedAt, ...quote } = newQuote(n, {
    vrtAmount: BigInt(n),
    ...terms,
    maker: terms.maker ?? makerOf(n),
  })
  return { ...quote, receivedAt, arrival: receivedAt * 1000, publicRfqId: publicRfqId(auction), ...rest }
}

/** The close of an auction. */
export function newClose(auction: RfqId = rfqId, rest: Partial<NewClose> = {}): NewClose {
  return { publicRfqId: publicRfqId(auction), at: closesAt + 3, rejectedCount: 2, interrupted: false, ...rest }
}

/** Returns the record of a closed auction that accepted these quotes, in order. */
export function closedRecord(
  { key: _, ...auction }: NewAuction,
  quotes: readonly NewAuctionQuote[],
  { at: closedAt, rejectedCount, interrupted }: NewClose = newClose(auction.rfq.rfqId),
): AuctionRecord {
  return { ...auction, quotes: acceptedQuotes(quotes), close: { closedAt, rejectedCount, interrupted } }
}

/** Converts quotes to accepted quotes, in order. */
export function acceptedQuotes(quotes: readonly NewAuctionQuote[]): AcceptedQuote[] {
  return quotes.map(({ publicRfqId: _, ...quote }, index) => ({ ...quote, seq: index + 1 }))
}

/** Opens an auction, accepts these quotes and closes it. */
export async function runAuction(
  store: Pick<Store, 'openAuction' | 'acceptQuote' | 'closeAuction'>,
  auction: NewAuction,
  quotes: readonly NewAuctionQuote[],
  close: NewClose = newClose(auction.rfq.rfqId),
): Promise<void> {
  await store.openAuction(auction)
  for (const quote of quotes) await store.acceptQuote(quote, auction.rfq.openedAt)
  await store.closeAuction(close)
}
