import type { Address, Hex } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import type { Rejection } from './rejection.ts'

/** The block at which data was read. */
export type BlockRef = {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: bigint
}

/** The on-chain state needed to judge a quote, read at one block. Amounts are raw units of the loan token. */
export type QuoteState = {
  block: BlockRef
  /** The quote's EIP-712 digest. */
  hash: Hex
  makerNonce: bigint
  status: 'open' | 'filled' | 'cancelled'
  /** The loan token of the quote's pool, or null if the pool does not exist. */
  loanToken: Address | null
  /** The quote's series, or null if it does not exist. It may belong to another pool. */
  series: { poolId: Hex; expiry: number; cap: bigint; outstanding: bigint } | null
  /** The series' remaining capacity. */
  capacity: bigint
  /** The maker's loan token balance. */
  balance: bigint
  /** The quote market's allowance for the maker's loan tokens. */
  allowance: bigint
  /**
   * The signer recovered with ecrecover under the contract's strict rules, or null if none was recovered or the signer
   * is unknown.
   */
  recovered: Address | null
  /**
   * The result of `previewTakeQuote`, or null if it was not called. If `failure` is set, there is no result: either the
   * node did not answer in time (`silent`), or the maker's contract exceeded the limits for a signature check
   * (`refused`).
   */
  preview: { executable: boolean; reason: string; borrowerCost: bigint; failure?: 'silent' | 'refused' } | null
}

/**
 * Judges a quote by its on-chain state, in the contract's order: nonce, cancellation and fill, series, capacity,
 * signature, balance, allowance. Pure. A quote signed by its maker's key needs no preview. If there is a preview, its
 * verdict is final. Only a preview can validate a signature not made with the maker's key (ERC-1271).
 *
 * @param now Unix seconds. Expiry is judged at `now` or at the block's timestamp, whichever is later.
 * @returns The first rejection, or null.
 */
export function judgeState(quote: QuoteMarketQuote, state: QuoteState, now: bigint): Rejection | null {
  const time = now > state.block.timestamp ? now : state.block.timestamp
  if (quote.deadline < time) return { code: 'DEADLINE_PASSED', deadline: quote.deadline, limit: time }
  if (quote.nonce !== state.makerNonce) {
    return { code: 'NONCE_MISMATCH', nonce: quote.nonce, makerNonce: state.makerNonce }
  }
  if (state.status === 'filled') return { code: 'QUOTE_FILLED', hash: state.hash }
  if (state.status === 'cancelled') return { code: 'QUOTE_CANCELLED', hash: state.hash }

  const { loanToken, series } = state
  if (loanToken === null) return { code: 'POOL_NOT_FOUND', poolId: quote.poolId }
  if (series === null || series.poolId.toLowerCase() !== quote.poolId.toLowerCase()) {
    return { code: 'SERIES_NOT_FOUND', poolId: quote.poolId, seriesKey: quote.seriesKey, available: null }
  }
  if (BigInt(series.expiry) <= time) {
    return { code: 'SERIES_EXPIRED', seriesKey: quote.seriesKey, expiry: series.expiry }
  }
  if (quote.notional > state.capacity) {
    return { code: 'CAPACITY_EXCEEDED', notional: quote.notional, capacity: state.capacity }
  }
  const { preview } = state
  if (preview?.failure === 'silent') return { code: 'CHAIN_UNAVAILABLE' }
  if (preview?.failure === 'refused') return { code: 'NOT_EXECUTABLE', reason: preview.reason }
  if (!isSignedByMaker(quote, state.recovered) && !takesSignature(preview)) {
    return { code: 'BAD_SIGNATURE', digest: state.hash, recovered: state.recovered, cause: null }
  }
  if (state.balance < quote.notional) {
    return { code: 'INSUFFICIENT_BALANCE', balance: state.balance, needed: quote.notional }
  }
  if (state.allowance < quote.notional) {
    return { code: 'INSUFFICIENT_ALLOWANCE', allowance: state.allowance, needed: quote.notional }
  }
  if (quote.notional === 0n) return { code: 'NOT_EXECUTABLE', reason: 'NOTIONAL_ZERO' }
  return preview === null || preview.executable ? null : { code: 'NOT_EXECUTABLE', reason: preview.reason }
}

/** Returns whether the maker's own key signed a quote. */
export function isSignedByMaker({ maker }: Pick<QuoteMarketQuote, 'maker'>, recovered: Address | null): boolean {
  return recovered !== null && recovered.toLowerCase() === maker.toLowerCase()
}

/** Returns whether a preview implies a valid signature. The contract checks the signature before the maker's funds. */
function takesSignature(preview: QuoteState['preview']): boolean {
  return (
    preview !== null &&
    (preview.executable || preview.reason === 'INSUFFICIENT_BALANCE' || preview.reason === 'INSUFFICIENT_ALLOWANCE')
  )
}
