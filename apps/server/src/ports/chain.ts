import type { BlockRef, SignedQuote } from '@firmquote/core'
import type { QuoteStates } from '@firmquote/core/chain'
import type { Hex } from 'viem'

/** A fixed-rate term of a pool. */
export type Series = {
  poolId: Hex
  seriesKey: Hex
  /** Unix seconds. */
  expiry: number
}

/**
 * What the service reads from the chain. Every method throws {@link ChainUnavailableError} when the chain cannot be
 * read: an answer is never a guess.
 */
export type Chain = {
  /** The newest block. */
  readHead(): Promise<BlockRef>
  /** The hash of the first block: tells one chain from another with the same id. */
  readGenesisHash(): Promise<Hex>
  /** All state that judging the quotes needs, at one block. */
  readQuoteStates(quotes: readonly SignedQuote[]): Promise<QuoteStates>
  /** All series of a pool, soonest expiry first, expired ones included; null when there is no such pool. */
  readSeriesOf(poolId: Hex): Promise<Series[] | null>
}
