import type { PublicRfqId, QuoteStatusMessage } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { OutstandingQuote } from '../domain/exposure.ts'
import type { Fill, HookTiming } from '../domain/fill.ts'

/** A stored quote, from before its signature until after its end. */
export type SignedQuoteRecord = OutstandingQuote & {
  /** RFQ that it answers, or null. */
  rfqId: PublicRfqId | null
  /** Null until it is signed. */
  signature: Hex | null
  /** Verdict of the service. `unknown` until it arrives. */
  verdict: 'accepted' | 'rejected' | 'unknown'
  /** Code of the rejection. */
  code: string | null
  /** Time of storage, in Unix milliseconds. */
  signedAt: number
}

/**
 * Latest reported state of a fill, and its delivery to the maker's hook. The hook receives states rather than events: `change`
 * numbers the states, and delivery is pending while `done` is below it.
 */
export type FillRecord = {
  /** The quote's EIP-712 digest. */
  hash: Hex
  status: 'filled' | 'reverted'
  /** Whether its block is final. */
  final: boolean
  /** Block of the fill. */
  block: number
  /** Sequence number across the states of all fills, from 1. */
  change: number
  /** Last change that the hook was called with, successfully or not. 0 for none. */
  begun: number
  /** Fill in that call. Null for none. */
  told: Fill | null
}

/**
 * Effect of a status update. `filled` and `reverted` are new states; `refused` was not stored because too many fills are
 * undelivered.
 */
export type StatusEffect = 'filled' | 'reverted' | 'none' | 'refused'

/** Maker that a database belongs to. */
export type StoreOwner = { chainId: number; quoteMarket: Address; maker: Address }

/**
 * Durable state of the daemon. Writes are on disk when their promise resolves.
 *
 * Every method throws `StorageUnavailableError` if the database fails.
 */
export type Store = {
  /**
   * Assigns the database to this maker.
   *
   * @throws {ConfigurationError} if it belongs to another one.
   */
  claim(owner: StoreOwner): Promise<void>
  /** Stores a quote before it is signed. */
  add(quote: SignedQuoteRecord): Promise<void>
  /** Removes a quote that was never signed. */
  remove(hash: Hex): Promise<void>
  saveSignature(hash: Hex, signature: Hex): Promise<void>
  saveVerdict(hash: Hex, verdict: SignedQuoteRecord['verdict'], code: string | null): Promise<void>
  /** Marks quotes whose deadline has passed on the chain. */
  markEnded(hashes: readonly Hex[]): Promise<void>
  /** Quotes whose deadline has not passed on the chain, as far as known. */
  listUnended(): Promise<SignedQuoteRecord[]>
  /** Signed quotes, newest first. */
  listSigned(limit: number): Promise<SignedQuoteRecord[]>
  find(hash: Hex): Promise<SignedQuoteRecord | null>
  findByRfq(rfqId: PublicRfqId): Promise<SignedQuoteRecord | null>
  /** Sequence number of the last stored status update of a service. 0 for none. */
  findStatusSeq(service: string): Promise<number>
  /**
   * Stores a status update with its sequence number, atomically. A repeated update changes nothing.
   *
   * @param hasHook without a hook, the fill counts as delivered.
   */
  saveStatus(
    service: string,
    status: QuoteStatusMessage,
    options: { hasHook: boolean; now: number },
  ): Promise<StatusEffect>
  /** Fills not yet delivered to the hook, by change number. */
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
  /** Reads a single value by name. Null if there is none. */
  findNote(name: string): Promise<string | null>
  saveNote(name: string, value: string): Promise<void>
  close(): Promise<void>
}
