import type { BlockRef, QuoteState } from '@firmquote/core'
import type { Hex } from 'viem'
import type { MakerFunds, OutstandingQuote } from '../domain/exposure.ts'
import type { Fill } from '../domain/fill.ts'

/** Chain state for pricing one RFQ. All funds are of one block. */
export type MakerView = {
  block: BlockRef
  funds: MakerFunds
  series: Pick<QuoteState, 'series' | 'capacity'>
  /** Floating borrow rate of the pool, WAD per second. */
  floatingRatePerSec: bigint
  /** Decimals of the pool's loan token. */
  decimals: number
}

/** The chain as a maker uses it. Every method throws `ChainUnavailableError` if a read fails. */
export type Chain = {
  /**
   * Checks the node's chain and the contracts.
   *
   * @throws {ConfigurationError} with what to change.
   */
  check(): Promise<void>
  /**
   * Reads the maker's state for a series, and which of the quotes have ended by the same block. Null if the pool does not
   * exist.
   */
  readMaker(market: { poolId: Hex; seriesKey: Hex }, quotes: readonly OutstandingQuote[]): Promise<MakerView | null>
  /** Reads which of the quotes have ended by the newest block, and its time. */
  readEnded(quotes: readonly OutstandingQuote[]): Promise<Pick<MakerFunds, 'timestamp' | 'ended'>>
  /** Reads the fill of a quote of this maker from a block. Null if the block does not contain it. */
  readFill(hash: Hex, block: bigint): Promise<Fill | null>
  /**
   * Raises the maker's nonce and waits until the transaction is mined.
   *
   * @returns the new nonce.
   * @throws {TransactionError} if it was not sent, was reverted, or is not mined yet.
   */
  raiseNonce(): Promise<{ transactionHash: Hex; nonce: bigint }>
}
