import type { QuoteMarketQuote } from '@firmquote/core'
import type { Address, Hex } from 'viem'
import type { Shares } from './policy.ts'

/** Whom a quote answers: nobody, since the maker signs it by itself, an RFQ without a verified taker, or one with. */
export type Asker = 'maker' | 'unverified' | 'verified'

/** A quote that this daemon may have signed: once it is on the disk it can be held against the maker. */
export type OutstandingQuote = {
  /** The quote's EIP-712 digest. */
  hash: Hex
  /** The loan token of its pool. */
  loanToken: Address
  quote: QuoteMarketQuote
  asker: Asker
}

/** The maker's state on the chain at one block. Amounts are raw units of one loan token. */
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

/** What ends quotes on the chain, as of one block. */
export type QuoteEndings = Pick<MakerFunds, 'timestamp' | 'nonce' | 'ended'>

/**
 * Whether a quote can still be taken, as of one block. Only the chain ends a quote: one that the service has rejected is
 * signed all the same, and a local clock may be ahead of the next block's.
 */
export function isLive({ hash, quote }: OutstandingQuote, { timestamp, nonce, ended }: QuoteEndings): boolean {
  return quote.deadline >= timestamp && quote.nonce >= nonce && !ended.has(hash)
}

/** The sum of all quotes of one loan token that can still be taken, in raw loan-token units. */
export function outstandingNotional(quotes: Iterable<OutstandingQuote>, funds: MakerFunds): bigint {
  let total = 0n
  for (const one of quotes) {
    if (one.loanToken === funds.loanToken && isLive(one, funds)) total += one.quote.notional
  }
  return total
}

/**
 * The most that one more quote may be for, so that all that can still be taken stays within the smaller of balance and
 * allowance. A quote that was filled by the block no longer counts, and its funds are gone from the same block's balance;
 * one that is filled later leaves both sides together. Zero when more is outstanding than there is.
 */
export function affordable(quotes: Iterable<OutstandingQuote>, funds: MakerFunds): bigint {
  const total = outstandingNotional(quotes, funds)
  if (funds.balance <= total || funds.allowance <= total) return 0n
  if (funds.balance < funds.allowance) return funds.balance - total
  return funds.allowance - total
}

/** Whom one more quote would answer. `taker` is the account that may take it. */
export type QuotedTo = { asker: Asker; taker: Address }

/**
 * The most that one more quote may be for, also by the share of the funds that its asker may have reserved: anyone can ask, but
 * RFQs that nobody has proven take up a part only, and so do those of one taker.
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
