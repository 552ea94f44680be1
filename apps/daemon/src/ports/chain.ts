import type { BlockRef, QuoteState } from '@firmquote/core'
import type { Hex } from 'viem'
import type { MakerFunds, OutstandingQuote } from '../domain/exposure.ts'
import type { Fill } from '../domain/fill.ts'

/** Chain state for pricing one RFQ. All funds are as of a single block. */
export type MakerView = {
  block: BlockRef
  funds: MakerFunds
  series: Pick<QuoteState, 'series' | 'capacity'>
  /** The pool's floating borrow rate, in WAD per second. */
  floatingRatePerSec: bigint
  /** Decimals of the pool's loan token. */
  decimals: number
}

/** A maker's access to the chain. Every method throws `ChainUnavailableError` if a read fails. */
export type Chain = {
  /**
   * Checks the node's chain and the contracts.
   *
   * @throws {ConfigurationError} if a setting is wrong. The message says what to change.
   */
  check(): Promise<void>
  /**
   * Reads the maker's state for a series, and which of the quotes have ended as of the same block. Returns null if the
   * pool does not exist.
   */
  readMaker(market: { poolId: Hex; seriesKey: Hex }, quotes: readonly OutstandingQuote[]): Promise<MakerView | null>
  /** Reads which of the quotes have ended as of the newest block, along with that block's timestamp. */
  readEnded(quotes: readonly OutstandingQuote[]): Promise<Pick<MakerFunds, 'timestamp' | 'ended'>>
  /** Reads the fill of one of this maker's quotes from a block. Returns null if the block does not contain the fill. */
  readFill(hash: Hex, block: bigint): Promise<Fill | null>
  /**
   * Raises the maker's nonce and waits until the transaction is mined.
   *
   * @returns the new nonce.
   * @throws {TransactionError} if it was not sent, was reverted, or has not been mined yet.
   */
  raiseNonce(): Promise<{ transactionHash: Hex; nonce: bigint }>
}
