import type { BlockRef, QuoteState } from '@firmquote/core'
import type { Hex } from 'viem'
import type { MakerFunds, OutstandingQuote } from '../domain/exposure.ts'
import type { Fill } from '../domain/fill.ts'

/** The state of the chain that pricing one RFQ needs. The funds are those of one block. */
export type MakerView = {
  block: BlockRef
  funds: MakerFunds
  series: Pick<QuoteState, 'series' | 'capacity'>
  /** The pool's floating borrow rate, WAD per second. */
  floatingRatePerSec: bigint
  /** The decimals of the pool's loan token. */
  decimals: number
}

/** The chain, as a maker uses it. Every method throws `ChainUnavailableError` when it could not be read. */
export type Chain = {
  /**
   * Checks that the node is on the right chain and the contracts are what they should be.
   *
   * @throws {ConfigurationError} with what to change.
   */
  check(): Promise<void>
  /** The maker's state for a series, and which of these quotes have ended by the same block; null without such a pool. */
  readMaker(market: { poolId: Hex; seriesKey: Hex }, quotes: readonly OutstandingQuote[]): Promise<MakerView | null>
  /** Which of these quotes have ended by the newest block, with its time. */
  readEnded(quotes: readonly OutstandingQuote[]): Promise<Pick<MakerFunds, 'timestamp' | 'ended'>>
  /** The fill of a quote of this maker in a block; null when the node does not show it there. */
  readFill(hash: Hex, block: bigint): Promise<Fill | null>
  /**
   * Raises the maker's nonce and waits until that is part of a block.
   *
   * @returns the nonce from then on.
   * @throws {TransactionError} when it was not sent, was reverted, or is not part of a block yet.
   */
  raiseNonce(): Promise<{ transactionHash: Hex; nonce: bigint }>
}
