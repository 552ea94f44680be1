import type { BlockRef, QuoteState } from '@firmquote/core'
import type { Hex } from 'viem'
import type { MakerFunds, OutstandingQuote } from '../domain/exposure.ts'

/** All of the chain that pricing one RFQ needs. The funds are those of one block. */
export type MakerView = {
  block: BlockRef
  funds: MakerFunds
  series: Pick<QuoteState, 'series' | 'capacity'>
  /** The pool's floating borrow rate, WAD per second. */
  floatingRatePerSec: bigint
  /** The decimals of the pool's loan token. */
  decimals: number
}

/** The chain, as a maker sees it. Every method throws `ChainUnavailableError` when it could not be read. */
export type Chain = {
  /**
   * Checks that the node is on the right chain and the contracts are what they should be.
   *
   * @throws {ConfigurationError} with one sentence that says what to change.
   */
  check(): Promise<void>
  /** The maker's state for a series, with what has become of these quotes by the same block; null without such a pool. */
  readMaker(market: { poolId: Hex; seriesKey: Hex }, promised: readonly OutstandingQuote[]): Promise<MakerView | null>
  /** What has become of these quotes by the newest block, with its time. */
  readEnded(promised: readonly OutstandingQuote[]): Promise<Pick<MakerFunds, 'timestamp' | 'ended'>>
  /**
   * Raises the maker's nonce and waits until that is part of a block.
   *
   * @returns the nonce that rules from then on.
   * @throws {TransactionError} when it was not sent, was reverted, or is not part of a block yet.
   */
  raiseNonce(): Promise<{ transactionHash: Hex; nonce: bigint }>
}
