import type { QuoteMarketQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { Shares } from './policy.ts'

/**
 * A quote's origin: `maker` if the operator requested it, or `unverified` or `verified` if it answers an RFQ with such
 * a taker.
 */
export type Asker = 'maker' | 'unverified' | 'verified'

/** A quote that this daemon may have signed. Once the quote is on disk, it is assumed to be takeable. */
export type OutstandingQuote = {
  /** EIP-712 digest of the quote. */
  hash: Hex
  /** The pool's loan token. */
  loanToken: Address
  quote: QuoteMarketQuote
  asker: Asker
}

/** The maker's on-chain state as of a single block. Amounts are in raw units of one loan token. */
export type MakerFunds = {
  loanToken: Address
  /** Time of the block, in Unix seconds. */
  timestamp: bigint
  /** The maker's nonce on the quote market. */
  nonce: bigint
  balance: bigint
  /** The quote market's allowance. */
  allowance: bigint
  /** Quotes filled or cancelled as of that block. */
  ended: ReadonlySet<Hex>
}

/** On-chain state that determines which quotes have ended, as of a single block. */
export type QuoteEndings = Pick<MakerFunds, 'timestamp' | 'nonce' | 'ended'>

/**
 * Whether a quote can still be taken, as of a single block. Only on-chain state ends a quote: a rejected quote remains
 * signed, and the local clock may be ahead of the next block.
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
 * Maximum notional of another quote that keeps the total of all live quotes within both the balance and the allowance.
 * A quote filled by that block is excluded, because its funds have already left the balance. A later fill reduces the
 * funds and the outstanding total equally. Returns zero if outstanding quotes exceed the available funds.
 */
export function affordable(quotes: Iterable<OutstandingQuote>, funds: MakerFunds): bigint {
  const total = outstandingNotional(quotes, funds)
  if (funds.balance <= total || funds.allowance <= total) return 0n
  if (funds.balance < funds.allowance) return funds.balance - total
  return funds.allowance - total
}

/** Recipient of a new quote. `taker` is the account that may take the quote. */
export type QuotedTo = { asker: Asker; taker: Address }

/**
 * Maximum notional of another quote within the maker's funds and the asker's share of them. Anyone can send an RFQ, so
 * all unverified RFQs together may reserve only part of the funds. Each verified taker's RFQs are likewise limited to
 * part of the funds.
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
