import type { QuoteMarketQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'

/** A quote that this daemon may have signed: from the moment it is written down it can be held against the maker. */
export type Promised = {
  /** The quote's EIP-712 digest. */
  hash: Hex
  /** The loan token of its pool. */
  loanToken: Address
  quote: QuoteMarketQuote
}

/** What the chain says of the maker at one block. Amounts are raw units of one loan token. */
export type MakerFunds = {
  loanToken: Address
  /** The block's time, Unix seconds. */
  timestamp: bigint
  /** The maker's nonce on the quote market. */
  nonce: bigint
  balance: bigint
  /** What the quote market may move. */
  allowance: bigint
  /** The quotes that were filled or cancelled by that block. */
  ended: ReadonlySet<Hex>
}

/** What ends promises. */
export type ChainWord = Pick<MakerFunds, 'timestamp' | 'nonce' | 'ended'>

/**
 * Whether a quote can still be taken, as far as one block knows. Only the chain ends a promise: what the service has
 * refused is signed all the same, and a local clock may be ahead of the next block's.
 */
export function isLive({ hash, quote }: Promised, { timestamp, nonce, ended }: ChainWord): boolean {
  return quote.deadline >= timestamp && quote.nonce >= nonce && !ended.has(hash)
}

/** What all quotes of one loan token that can still be taken add up to, in raw units. */
export function promisedTotal(promised: Iterable<Promised>, funds: MakerFunds): bigint {
  let total = 0n
  for (const one of promised) {
    if (one.loanToken === funds.loanToken && isLive(one, funds)) total += one.quote.notional
  }
  return total
}

/**
 * The most that one more quote may be for, so that all that can still be taken stays within the smaller of balance and
 * allowance. A quote that was filled by the block no longer counts, and its funds are gone from the same block's balance;
 * one that is filled later leaves both sides together. Zero when more is promised than there is.
 */
export function affordable(promised: Iterable<Promised>, funds: MakerFunds): bigint {
  const total = promisedTotal(promised, funds)
  const [byBalance, byAllowance] = [funds.balance - total, funds.allowance - total]
  if (byBalance <= 0n || byAllowance <= 0n) return 0n
  if (byBalance < byAllowance) return byBalance
  return byAllowance
}
