import type { QuoteMarketQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { Shares } from './policy.ts'

/** Origin of a quote: `maker` for the operator's own, otherwise an RFQ without or with a verified taker. */
export type Asker = 'maker' | 'unverified' | 'verified'

/** A quote that this daemon may have signed. From the moment it is on disk, it may be taken. */
export type OutstandingQuote = {
  /** EIP-712 digest of the quote. */
  hash: Hex
  /** Loan token of its pool. */
  loanToken: Address
  quote: QuoteMarketQuote
  asker: Asker
}

/** The maker's state on the chain at one block. Amounts are in raw units of one loan token. */
export type MakerFunds = {
  loanToken: Address
  /** Time of the block, in Unix seconds. */
  timestamp: bigint
  /** The maker's nonce on the quote market. */
  nonce: bigint
  balance: bigint
  /** Allowance of the quote market. */
  allowance: bigint
  /** Quotes that were filled or cancelled by that block. */
  ended: ReadonlySet<Hex>
}

/** State that ends quotes on the chain, as of one block. */
export type QuoteEndings = Pick<MakerFunds, 'timestamp' | 'nonce' | 'ended'>

/**
 * Whether a quote can still be taken, as of one block. Only the chain ends a quote: a rejected quote is still signed, and a
 * local clock may be ahead of the next block.
 */
export function isLive({ hash, quote }: OutstandingQuote, { timestamp, nonce, ended }: QuoteEndings): boolean {
  return quote.deadline >= timestamp && quote.nonce >= nonce && !ended.has(hash)
}

/** Total notional of the live quotes in one loan token, in raw units. */
export function outstandingNotional(quotes: Iterable<OutstandingQuote>, funds: MakerFunds): bigint {
  let total = 0n
  for (const one of quotes) {
    if (one.loanToken === funds.loanToken && isLive(one, funds)) total += one.quote.notional
  }
  return total
}

/**
 * Maximum notional of one more quote, so that all live quotes stay within the smaller of balance and allowance. A quote filled
 * by that block no longer counts, and its funds have left the balance at the same block. A later fill reduces both sides
 * together. Zero if more is outstanding than available.
 */
export function affordable(quotes: Iterable<OutstandingQuote>, funds: MakerFunds): bigint {
  const total = outstandingNotional(quotes, funds)
  if (funds.balance <= total || funds.allowance <= total) return 0n
  if (funds.balance < funds.allowance) return funds.balance - total
  return funds.allowance - total
}

/** Recipient of a new quote. `taker` is the account that may take it. */
export type QuotedTo = { asker: Asker; taker: Address }

/**
 * Maximum notional of one more quote, within the funds and the asker's share of them. Because anyone can ask, unverified RFQs
 * together may reserve only a part of the funds, and so may each verified taker.
 */
export function affordableTo(
  quotes: readonly OutstandingQuote[],
  funds: MakerFunds,
  to: QuotedTo,
  shares: Shares,
): bigint {
  const free = affordable(quotes, funds)
  if (to.asker === 'maker') return free
  const percent = to.asker === 'verified' ? shares.taker : shares.unverified
  const reserved = outstandingNotional(
    quotes.filter((quote) => sharesWith(quote, to)),
    funds,
  )
  const all = affordable([], funds)
  const left = (all * BigInt(percent)) / 100n - reserved
  if (left <= 0n) return 0n
  if (left < free) return left
  return free
}

function sharesWith({ asker, quote }: OutstandingQuote, to: QuotedTo): boolean {
  if (asker !== to.asker) return false
  return asker === 'unverified' || quote.taker.toLowerCase() === to.taker.toLowerCase()
}
