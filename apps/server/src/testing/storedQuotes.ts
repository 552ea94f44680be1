import { maxUint256, type RFQResult, type SignedQuote, toRfqId } from '@firmquote/core'
import { getAddress, type Hex, numberToHex, zeroAddress } from 'viem'
import { publicRfqId } from '../domain/rfqIds.ts'
import type { NewAuctionQuote, NewQuote } from '../ports/store.ts'

/** When the quotes of the tests are made, Unix seconds. */
export const now = 1_767_225_600n
export const maker = getAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
export const other = getAddress('0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc')
export const poolId: Hex = `0x${'22'.repeat(32)}`
export const seriesKey: Hex = `0x${'33'.repeat(32)}`
export const rfqId = 'ab'.repeat(16)

/** The hash of the quote with this number. */
export const hashOf = (n: number): Hex => numberToHex(n, { size: 32 })

/** A quote whose number shows in its hash, time and rate. */
export function newQuote(n: number, terms: Partial<SignedQuote> = {}, rest: Partial<NewQuote> = {}): NewQuote {
  return {
    hash: hashOf(n),
    quote: {
      maker,
      taker: zeroAddress,
      poolId,
      seriesKey,
      notional: 1_000n,
      vrtAmount: 10n,
      nonce: 0n,
      deadline: now + 60n,
      salt: hashOf(n),
      signature: `0x${'55'.repeat(65)}`,
      ...terms,
    },
    apr: n,
    createdAt: Number(now) * 1000 + n,
    ...rest,
  }
}

/** The same for an auction. */
export function newAuctionQuote(n: number, auction: string = rfqId, terms: Partial<SignedQuote> = {}): NewAuctionQuote {
  return { ...newQuote(n, terms), rfqId: auction, publicRfqId: publicRfqId(auction), expiry: Number(now) + 86_400 }
}

/** The outcome of an auction with these quotes, best first. */
export function resultOf(quotes: readonly NewAuctionQuote[], auction: string = rfqId): RFQResult {
  const openedAt = Number(now) * 1000
  return {
    rfqId: toRfqId(auction),
    poolId,
    seriesKey,
    expiry: Number(now) + 86_400,
    notional: maxUint256,
    maxVrtAmount: 7n,
    taker: other,
    openedAt,
    closesAt: openedAt + 15_000,
    status: 'closed',
    closedAt: openedAt + 15_003,
    backers: 4,
    rejectedCount: 2,
    quotes: quotes.map(({ hash, quote, apr, createdAt }) => ({ hash, quote, apr, receivedAt: createdAt })),
  }
}
