import type { PublicRfqId, QuoteStatusMessage } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { OutstandingQuote } from '../domain/exposure.ts'
import type { Fill, HookMoment } from '../domain/fill.ts'

/** A quote of the daemon as it is stored: from before its signature to after its end. */
export type SignedQuoteRecord = OutstandingQuote & {
  /** The RFQ that it answers, or null. */
  rfqId: PublicRfqId | null
  /** Null until it has been signed. */
  signature: Hex | null
  /** The service's verdict; `unknown` until it has arrived. */
  verdict: 'accepted' | 'rejected' | 'unknown'
  /** Why it was rejected. */
  code: string | null
  /** When it was stored, Unix milliseconds. */
  signedAt: number
}

/**
 * A fill as the service has told it last, and how much of that the maker's hook was told. What the hook has to be told is a state,
 * not a list of events: `change` numbers the states, and the hook is behind as long as `done` is below it.
 */
export type FillRecord = {
  /** The quote's EIP-712 digest. */
  hash: Hex
  status: 'filled' | 'reverted'
  /** Whether its block can no longer be undone. */
  final: boolean
  /** Where it was filled. */
  block: number
  /** Numbers the states of all fills in the order in which they were told; from 1. */
  change: number
  /** The last change that the hook was called with, whether it has succeeded or not; 0 for none. */
  begun: number
  /** The fill of that call; null for none. */
  told: Fill | null
}

/** What a status has changed: `filled` and `reverted` are news; `refused` was not stored, because too much is unanswered. */
export type StatusEffect = 'filled' | 'reverted' | 'none' | 'refused'

/** The maker that a database belongs to. */
export type StoreOwner = { chainId: number; quoteMarket: Address; maker: Address }

/**
 * The daemon's durable state. What is written is on the disk when the returned promise resolves.
 *
 * Every method throws `StorageUnavailableError` when the database fails.
 */
export type Store = {
  /** Makes the database this maker's. @throws {ConfigurationError} when it is another's. */
  claim(owner: StoreOwner): Promise<void>
  /** Stores a quote, before it is signed. */
  add(quote: SignedQuoteRecord): Promise<void>
  /** Removes a quote that was never signed. */
  remove(hash: Hex): Promise<void>
  saveSignature(hash: Hex, signature: Hex): Promise<void>
  saveVerdict(hash: Hex, verdict: SignedQuoteRecord['verdict'], code: string | null): Promise<void>
  /** Marks quotes whose deadline the chain has passed. */
  markEnded(hashes: readonly Hex[]): Promise<void>
  /** The quotes whose deadline the chain has not passed, as far as is known. */
  listUnended(): Promise<SignedQuoteRecord[]>
  /** The newest signed quotes first. */
  listSigned(limit: number): Promise<SignedQuoteRecord[]>
  find(hash: Hex): Promise<SignedQuoteRecord | null>
  findByRfq(rfqId: PublicRfqId): Promise<SignedQuoteRecord | null>
  /** The number of the last status that was stored of a service; 0 for none. */
  findStatusSeq(service: string): Promise<number>
  /**
   * Stores a status with its number, both or neither. The same one again changes nothing.
   *
   * @param hasHook without one there is nobody to be told: the hook counts as told.
   */
  saveStatus(
    service: string,
    status: QuoteStatusMessage,
    options: { hasHook: boolean; now: number },
  ): Promise<StatusEffect>
  /** The fills that the hook has not answered, in the order of their changes. */
  listUnansweredFills(when: HookMoment): Promise<FillRecord[]>
  countUnansweredFills(when: HookMoment): Promise<number>
  /** Notes that the hook is going to be told of a change. @returns false when another one has come meanwhile. */
  beginFill(record: Pick<FillRecord, 'hash' | 'change'>, told: Fill): Promise<boolean>
  /** Notes that the hook was told of a change. */
  finishFill(record: Pick<FillRecord, 'hash' | 'change'>): Promise<void>
  /** A single value by its name; null when there is none. */
  findNote(name: string): Promise<string | null>
  saveNote(name: string, value: string): Promise<void>
  close(): Promise<void>
}
