import type { PublicRfqId, QuoteStatusMessage } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { OutstandingQuote } from '../domain/exposure.ts'
import type { Fill, HookTiming } from '../domain/fill.ts'

/** A stored quote. The record is created before the quote is signed and kept after it ends. */
export type SignedQuoteRecord = OutstandingQuote & {
  /** The RFQ that the quote answers, or null. */
  rfqId: PublicRfqId | null
  /** Null until it is signed. */
  signature: Hex | null
  /** The service's verdict, or `unknown` until it arrives. */
  verdict: 'accepted' | 'rejected' | 'unknown'
  /** Rejection code, or null. */
  code: string | null
  /** When the quote was stored, in Unix milliseconds. */
  signedAt: number
}

/**
 * Latest reported state of a fill, and its delivery to the maker's hook. The hook receives states rather than events:
 * `change` is the state's sequence number, and delivery is pending while the `done` column is less than `change`.
 */
export type FillRecord = {
  /** The quote's EIP-712 digest. */
  hash: Hex
  status: 'filled' | 'reverted'
  /** Whether the fill's block is final. */
  final: boolean
  /** Block of the fill. */
  block: number
  /** Sequence number across the states of all fills, starting at 1. */
  change: number
  /** Last change passed to the hook, whether or not the call succeeded. 0 if the hook has not been called. */
  begun: number
  /** Fill passed in that call, or null if the hook has not been called. */
  told: Fill | null
}

/**
 * Effect of a status update. `filled` and `reverted` mean that the fill has a new state. A `refused` update was not
 * stored, because too many fills are undelivered.
 */
export type StatusEffect = 'filled' | 'reverted' | 'none' | 'refused'

/** The maker to which a database belongs. */
export type StoreOwner = { chainId: number; quoteMarket: Address; maker: Address }

/**
 * The daemon's durable state. A write is on disk when its promise resolves.
 *
 * Every method throws `StorageUnavailableError` if the database fails.
 */
export type Store = {
  /**
   * Assigns the database to this maker.
   *
   * @throws {ConfigurationError} if it belongs to another maker.
   */
  claim(owner: StoreOwner): Promise<void>
  /** Stores a quote before it is signed. */
  add(quote: SignedQuoteRecord): Promise<void>
  /** Removes a quote that was never signed. */
  remove(hash: Hex): Promise<void>
  saveSignature(hash: Hex, signature: Hex): Promise<void>
  saveVerdict(hash: Hex, verdict: SignedQuoteRecord['verdict'], code: string | null): Promise<void>
  /** Marks quotes whose deadline has passed on-chain. */
  markEnded(hashes: readonly Hex[]): Promise<void>
  /** Lists quotes not yet marked as ended. */
  listUnended(): Promise<SignedQuoteRecord[]>
  /** Signed quotes, newest first. */
  listSigned(limit: number): Promise<SignedQuoteRecord[]>
  find(hash: Hex): Promise<SignedQuoteRecord | null>
  findByRfq(rfqId: PublicRfqId): Promise<SignedQuoteRecord | null>
  /** Sequence number of the last stored status update from a service, or 0 if none is stored. */
  findStatusSeq(service: string): Promise<number>
  /**
   * Atomically stores a status update with its sequence number. A repeated update changes nothing.
   *
   * @param options if `hasHook` is false, the fill counts as delivered.
   */
  saveStatus(
    service: string,
    status: QuoteStatusMessage,
    options: { hasHook: boolean; now: number },
  ): Promise<StatusEffect>
  /** Lists fills not yet delivered to the hook, ordered by change number. */
  listUnansweredFills(when: HookTiming): Promise<FillRecord[]>
  countUnansweredFills(when: HookTiming): Promise<number>
  /**
   * Records that the hook is about to be called with a change.
   *
   * @returns false if a newer change exists.
   */
  beginFill(record: Pick<FillRecord, 'hash' | 'change'>, told: Fill): Promise<boolean>
  /** Records that the hook succeeded for a change. */
  finishFill(record: Pick<FillRecord, 'hash' | 'change'>): Promise<void>
  /** Saves a receipt's text, replacing an earlier one of this quote. */
  saveReceipt(hash: Hex, text: string): Promise<void>
  removeReceipt(hash: Hex): Promise<void>
  /** The saved texts, oldest first. */
  listReceipts(): Promise<string[]>
  /** Reads a single value by name. Returns null if no value has this name. */
  findNote(name: string): Promise<string | null>
  saveNote(name: string, value: string): Promise<void>
  close(): Promise<void>
}
