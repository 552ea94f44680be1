import type { PublicRfqId } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { Promised } from '../domain/exposure.ts'

/** A quote as the daemon keeps it. */
export type KeptQuote = Promised & {
  /** The RFQ that it answers, or null. */
  rfqId: PublicRfqId | null
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
  add(quote: KeptQuote): Promise<void>
  /** Forgets a quote that was never signed. */
  remove(hash: Hex): Promise<void>
  keepSignature(hash: Hex, signature: Hex): Promise<void>
  keepVerdict(hash: Hex, verdict: KeptQuote['verdict'], code: string | null): Promise<void>
  /** Remembers that the chain has passed the deadlines of these. */
  keepEnded(hashes: readonly Hex[]): Promise<void>
  /** The quotes whose deadline the chain has not passed, as far as is known. */
  readUnended(): Promise<KeptQuote[]>
  /** The newest signed quotes first. */
  readSigned(limit: number): Promise<KeptQuote[]>
  find(hash: Hex): Promise<KeptQuote | null>
  findByRfq(rfqId: PublicRfqId): Promise<KeptQuote | null>
  /** A small thing to remember, by its name; null when there is none. */
  readNote(name: string): Promise<string | null>
  keepNote(name: string, value: string): Promise<void>
  close(): Promise<void>
}
