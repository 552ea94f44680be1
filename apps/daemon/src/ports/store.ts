import type { Address, Hex } from 'viem'
import type { OutstandingQuote } from '../domain/exposure.ts'

/** A quote as the daemon keeps it. */
export type SignedQuoteRecord = OutstandingQuote & {
  /** The RFQ that it answers, or null. */
  rfqId: string | null
  /** Null until it has been signed. */
  signature: Hex | null
  /** What the service said of it; `unknown` as long as it has said nothing. */
  verdict: 'accepted' | 'rejected' | 'unknown'
  /** Why it was rejected. */
  code: string | null
  /** When it was written down, Unix milliseconds. */
  signedAt: number
}

/** Whose database it is. */
export type StoreOwner = { chainId: number; quoteMarket: Address; maker: Address }

/**
 * What a daemon must not forget. Whatever is written is on the disk when the promise resolves.
 *
 * Every method throws `StorageUnavailableError` when the database does not do it.
 */
export type Store = {
  /** Makes sure that the database is this maker's. @throws {ConfigurationError} when it is another's. */
  claim(owner: StoreOwner): Promise<void>
  /** Writes a quote down, before it is signed. */
  add(quote: SignedQuoteRecord): Promise<void>
  /** Forgets a quote that was never signed. */
  remove(hash: Hex): Promise<void>
  saveSignature(hash: Hex, signature: Hex): Promise<void>
  saveVerdict(hash: Hex, verdict: SignedQuoteRecord['verdict'], code: string | null): Promise<void>
  /** Remembers that the chain has passed the deadlines of these. */
  markEnded(hashes: readonly Hex[]): Promise<void>
  /** The quotes whose deadline the chain has not passed, as far as is known. */
  listUnended(): Promise<SignedQuoteRecord[]>
  /** The newest signed quotes first. */
  listSigned(limit: number): Promise<SignedQuoteRecord[]>
  find(hash: Hex): Promise<SignedQuoteRecord | null>
  findByRfq(rfqId: string): Promise<SignedQuoteRecord | null>
  /** A small thing to remember, by its name; null when there is none. */
  findNote(name: string): Promise<string | null>
  saveNote(name: string, value: string): Promise<void>
  close(): Promise<void>
}
