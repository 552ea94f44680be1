import type { QuoteFilters, QuoteStatus, RFQResult, SignedQuote, StoredQuote } from '@firmquote/core'
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

/** A quote as it is kept. Who may see its signature is not the store's business. */
export type KeptQuote = NewQuote & {
  status: QuoteStatus
  /** Where its end was seen on the chain. */
  seenAt?: NonNullable<StoredQuote['seenAt']>
  /** Whether its maker has published it; false for a quote that only an auction has seen. */
  listed: boolean
}

/** A quote that a closed auction had accepted. */
export type KeptObservation = {
  publicRfqId: string
  hash: Hex
  quote: SignedQuote
  apr: number
  /** Unix seconds. */
  expiry: number
  /** Unix milliseconds. */
  observedAt: number
}

/**
 * What is kept. A promise resolves only when the data is on disk; it rejects with {@link StorageUnavailableError}
 * when it is not, and then nothing was stored.
 */
export type Store = {
  /** Remembers which chain and market the data belongs to, or throws {@link WrongDatabaseError} when they are others. */
  claim(identity: { chainId: number; genesisHash: Hex; quoteMarket: Address }): Promise<void>
  /**
   * Stores a published quote. `created` is false when it had been published before: then `record` is as it was. A quote
   * that only an auction had seen becomes a published one.
   */
  insertQuote(quote: NewQuote): Promise<{ created: boolean; record: KeptQuote }>
  /** Stores an auction's quote. It shows as an observation once {@link Store.insertResult} has ended the auction. */
  insertAuctionQuote(quote: NewAuctionQuote): Promise<void>
  findQuote(hash: Hex): Promise<KeptQuote | null>
  /**
   * Published, active quotes whose deadline is not before `now` (Unix seconds).
   *
   * @throws {InvalidInputError} with path `cursor` when the cursor is none of this store's or of another order.
   */
  listQuotes(filters: QuoteFilters, now: bigint): Promise<{ quotes: KeptQuote[]; nextCursor: string | null }>
  /** How many published, active quotes a maker has whose deadline is not before `now` (Unix seconds). */
  countQuotes(maker: Address, now: bigint): Promise<number>
  /** Records where a quote's life ended, or that it is active again. */
  setQuoteStatus(hash: Hex, status: QuoteStatus, seenAt?: StoredQuote['seenAt']): Promise<void>
  /** Keeps an auction's outcome for whoever knows its id; whatever the result does not contain is forgotten. */
  insertResult(result: RFQResult): Promise<void>
  findResult(rfqId: string): Promise<RFQResult | null>
  /** Quotes of closed auctions, newest first; 50 unless a limit is given. */
  listObservations(filters: { poolId?: Hex; seriesKey?: Hex; limit?: number }): Promise<KeptObservation[]>
  /** Whether the database answers. */
  ping(): Promise<void>
  /** Writes what is waiting, then closes. */
  close(): Promise<void>
}
