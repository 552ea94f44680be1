import type { PublicRfqId } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { OutstandingQuote } from '../domain/exposure.ts'

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
  /** A single value by its name; null when there is none. */
  findNote(name: string): Promise<string | null>
  saveNote(name: string, value: string): Promise<void>
  close(): Promise<void>
}
