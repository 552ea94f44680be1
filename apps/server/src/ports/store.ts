import type {
  QuoteFilters,
  QuotePage,
  QuoteStatus,
  RFQObservation,
  RFQResult,
  SignedQuote,
  StoredQuote,
} from '@firmquote/core'
import type { Address, Hex } from 'viem'

/** A quote on its way into the store. */
export type NewQuote = {
  hash: Hex
  quote: SignedQuote
  apr: number
  /** Unix milliseconds. */
  createdAt: number
}

/** A quote that an auction has accepted, on its way into the store. */
export type NewAuctionQuote = NewQuote & {
  /** The borrower's id of the auction. */
  rfqId: string
  /** The id that backers and the public see. */
  publicRfqId: string
  /** When the series ends, Unix seconds. */
  expiry: number
}

/**
 * What is kept. A promise resolves only when the data is on disk; it rejects with {@link StorageUnavailableError}
 * when it is not, and then nothing was stored.
 */
export type Store = {
  /** Remembers which chain and market the data belongs to, or throws {@link WrongDatabaseError} when they are others. */
  claim(identity: { chainId: number; genesisHash: Hex; quoteMarket: Address }): Promise<void>
  /** Stores a public quote. `existing` is the record that was there before. */
  insertQuote(quote: NewQuote): Promise<{ created: boolean; record: StoredQuote }>
  /** Stores an auction's quote with its observation. */
  insertAuctionQuote(quote: NewAuctionQuote): Promise<void>
  /** Any stored quote; an auction's comes without its signature. */
  findQuote(hash: Hex): Promise<StoredQuote | null>
  /** Active public quotes whose deadline is after `now` (Unix milliseconds). Throws {@link InvalidInputError} on a bad cursor. */
  listQuotes(filters: QuoteFilters, now: number): Promise<QuotePage>
  /** How many active, unexpired public quotes a maker has. */
  countQuotes(maker: Address, now: number): Promise<number>
  /** Records where a quote's life ended, or that it is active again. */
  setQuoteStatus(hash: Hex, status: QuoteStatus, seenAt?: StoredQuote['seenAt']): Promise<void>
  /** Keeps an auction's outcome for whoever knows its id. */
  insertResult(result: RFQResult): Promise<void>
  findResult(rfqId: string): Promise<RFQResult | null>
  /** Newest first. */
  listObservations(filters: {
    poolId?: Hex
    seriesKey?: Hex
    limit?: number
  }): Promise<Omit<RFQObservation, 'executable'>[]>
  /** Whether the database answers. */
  ping(): Promise<void>
  close(): Promise<void>
}
