import type { Address, Hex } from 'viem'
import type { QuoteMarketQuote } from '../generated/wireTypes.ts'
import type { Rejection } from './rejection.ts'

/** The block at which something was read. */
export type BlockRef = {
  number: bigint
  hash: Hex
  /** Unix seconds. */
  timestamp: bigint
}

/** All chain state that judging one quote needs, read at one block. Amounts are raw units of the loan token. */
export type QuoteState = {
  block: BlockRef
  /** The quote's EIP-712 digest. */
  hash: Hex
  makerNonce: bigint
  status: 'open' | 'filled' | 'cancelled'
  /** The loan token of the quote's pool, or null when there is no such pool. */
  loanToken: Address | null
  /** The quote's series, or null when there is none; it may still belong to another pool. */
  series: { poolId: Hex; expiry: number; cap: bigint; outstanding: bigint } | null
  /** What the series can still take. */
  capacity: bigint
  /** The maker's loan tokens. */
  balance: bigint
  /** The maker's loan tokens that the quote market may move. */
  allowance: bigint
  /** The signer by ecrecover, under the contract's strict rules; null when there is none or it is not known. */
  recovered: Address | null
  /**
   * The result of `previewTakeQuote`; null when it was not called. With a `failure` there is none: the node did not answer in
   * time (`silent`), or the maker's contract failed in what a signature check may take (`refused`).
   */
  preview: { executable: boolean; reason: string; borrowerCost: bigint; failure?: 'silent' | 'refused' } | null
}

/**
 * Judges a quote against the chain: nonce, cancelled or filled, series, capacity, signature, balance, allowance, in the
 * order of the contract. Pure. A quote with its maker's own signature can be judged without
 * asking the contract; where it was asked, its verdict is final, and the only one on a signature that is not the
 * maker's by ecrecover (ERC-1271).
 *
 * @param now Unix seconds. A block may be older than the clock: whichever is later decides what has expired.
 * @returns the first rejection, or null.
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

/** Whether a quote carries the signature of its maker's own key. */
export function isSignedByMaker({ maker }: Pick<QuoteMarketQuote, 'maker'>, recovered: Address | null): boolean {
  return recovered !== null && recovered.toLowerCase() === maker.toLowerCase()
}

/** The contract checks the signature before the maker's funds, so these verdicts mean that it accepted the signature. */
function takesSignature(preview: QuoteState['preview']): boolean {
  return (
    preview !== null &&
    (preview.executable || preview.reason === 'INSUFFICIENT_BALANCE' || preview.reason === 'INSUFFICIENT_ALLOWANCE')
  )
}
