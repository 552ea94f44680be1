import { describeRejection, judgeTerms, type QuoteState, type Rejection, type SignedQuote } from '@firmquote/core'
import { judgeState } from '@firmquote/core/chain'
import type { Address } from 'viem'
import type {
  BorrowerCheck,
  DeadlineCheck,
  Executability,
  ExecutabilityRequest,
  MakerFundsCheck,
  NonceAndStatusCheck,
  PreviewCheck,
  TermsCheck,
} from './executability.ts'

/** The borrower's on-chain state. Amounts are in raw units of the loan token. */
export type BorrowerState = { balance: bigint; allowance: bigint; isOperator: boolean }

/** The inputs to the verdict. */
export type ExecutabilityFacts = {
  state: QuoteState & { preview: NonNullable<QuoteState['preview']> }
  borrowerState: BorrowerState
  request: ExecutabilityRequest
  borrower: Address
  submissionWindowSeconds: number
  /** Unix seconds. */
  now: number
  /** The amount that the borrower must hold and approve, if it exceeds this quote's cost. */
  needed?: bigint | undefined
}

/** Evaluates the six checks. Pure. */
export function judgeExecutability(signed: SignedQuote, facts: ExecutabilityFacts): Executability {
  const { state, borrowerState } = facts
  const clock = BigInt(Math.floor(facts.now))
  const now = clock > state.block.timestamp ? clock : state.block.timestamp
  // If the contract returned no price, the quote's own price is used.
  const cost = state.preview.executable ? state.preview.borrowerCost : signed.vrtAmount
  const checks = [
    judgeDeadline(signed, now, facts.submissionWindowSeconds),
    judgeNonceAndStatus(signed, state),
    judgeMakerFunds(signed, state),
    judgeRequest(signed, state, facts.request, now),
    judgePreview(signed, facts, now),
    judgeBorrower(borrowerState, state, max(cost, facts.needed ?? 0n)),
  ] as const
  return { executable: checks.every(({ ok }) => ok), block: state.block, cost, checks }
}

function judgeDeadline(quote: SignedQuote, now: bigint, submissionWindowSeconds: number): DeadlineCheck {
  const lifetime = { min: submissionWindowSeconds, max: Number.MAX_SAFE_INTEGER }
  const rejection = judgeTerms(quote, { lifetime }, now)
  return { name: 'deadline', ...verdict(rejection), deadline: quote.deadline, now, submissionWindowSeconds }
}

function judgeNonceAndStatus(quote: SignedQuote, { makerNonce, status, hash }: QuoteState): NonceAndStatusCheck {
  const facts = { name: 'nonceAndStatus', makerNonce, status, hash } as const
  if (status === 'filled') return { ...facts, ...verdict({ code: 'QUOTE_FILLED', hash }) }
  if (status === 'cancelled') return { ...facts, ...verdict({ code: 'QUOTE_CANCELLED', hash }) }
  const stale = { code: 'NONCE_MISMATCH', nonce: quote.nonce, makerNonce } as const
  return { ...facts, ...verdict(quote.nonce === makerNonce ? null : stale) }
}

function judgeMakerFunds(quote: SignedQuote, { loanToken, balance, allowance }: QuoteState): MakerFundsCheck {
  const needed = quote.notional
  const facts = { name: 'makerFunds', balance, allowance, loanToken } as const
  if (loanToken === null) return { ...facts, ...verdict({ code: 'POOL_NOT_FOUND', poolId: quote.poolId }) }
  if (balance < needed) return { ...facts, ...verdict({ code: 'INSUFFICIENT_BALANCE', balance, needed }) }
  const short = { code: 'INSUFFICIENT_ALLOWANCE', allowance, needed } as const
  return { ...facts, ...verdict(allowance < needed ? short : null) }
}

function judgeRequest(
  quote: SignedQuote,
  { series }: QuoteState,
  { poolId, seriesKey, expiry, notional, maxVrtAmount }: ExecutabilityRequest,
  now: bigint,
): TermsCheck {
  const seriesExpiry = series?.expiry ?? null
  const facts = { name: 'terms', notional: quote.notional, requestedNotional: notional, seriesExpiry } as const
  const terms = {
    ...(poolId === undefined ? {} : { poolId }),
    ...(seriesKey === undefined ? {} : { seriesKey }),
    ...(maxVrtAmount === undefined ? {} : { maxVrtAmount }),
    taker: quote.taker,
    notional,
  }
  // A separate check covers the deadline.
  const rejection = judgeTerms(quote, terms, 0n)
  if (rejection) return { ...facts, ...verdict(rejection) }
  if (quote.notional !== notional) {
    return { ...facts, ok: false, reason: `The quote is for ${quote.notional}, not for the requested ${notional}.` }
  }
  if (series === null || series.poolId.toLowerCase() !== quote.poolId.toLowerCase()) {
    return {
      ...facts,
      ...verdict({ code: 'SERIES_NOT_FOUND', poolId: quote.poolId, seriesKey: quote.seriesKey, available: null }),
    }
  }
  if (BigInt(series.expiry) <= now) {
    return { ...facts, ...verdict({ code: 'SERIES_EXPIRED', seriesKey: quote.seriesKey, expiry: series.expiry }) }
  }
  if (seriesKey === undefined && expiry !== undefined && series.expiry < expiry) {
    return { ...facts, ok: false, reason: `The series ends at ${series.expiry}, before the requested ${expiry}.` }
  }
  return { ...facts, ok: true }
}

function judgePreview(quote: SignedQuote, { state, borrower }: ExecutabilityFacts, now: bigint): PreviewCheck {
  const { executable, reason: contractReason, borrowerCost } = state.preview
  const facts = { name: 'preview', contractReason, borrowerCost, capacity: state.capacity } as const
  if (executable) {
    if (borrowerCost <= quote.vrtAmount) return { ...facts, ok: true }
    return {
      ...facts,
      ok: false,
      reason: `The contract charges ${borrowerCost}, more than the quoted ${quote.vrtAmount}.`,
    }
  }
  if (contractReason === 'TAKER_MISMATCH') {
    return { ...facts, ...verdict({ code: 'TERMS_MISMATCH', field: 'taker', value: quote.taker, expected: borrower }) }
  }
  // judgeState checks the same conditions, in the same order. Reasons that only the contract reports are passed
  // through.
  return { ...facts, ...verdict(judgeState(quote, state, now) ?? { code: 'NOT_EXECUTABLE', reason: contractReason }) }
}

function judgeBorrower(
  { balance, allowance, isOperator }: BorrowerState,
  state: QuoteState,
  cost: bigint,
): BorrowerCheck {
  const sentences = {
    balance: `The borrower holds ${balance} of the loan token, but the quote costs ${cost}.`,
    allowance: `The borrower's allowance to the quote market is ${allowance} of the loan token, but the quote costs ${cost}.`,
    operator: 'The borrower has not made the quote market an operator of the interest-rate pool.',
  }
  const missing: (keyof typeof sentences)[] = []
  if (balance < cost) missing.push('balance')
  if (allowance < cost) missing.push('allowance')
  if (!isOperator) missing.push('operator')
  const facts = { name: 'borrower', balance, allowance, isOperator, missing } as const
  if (state.loanToken === null) return { ...facts, ok: false, reason: 'The pool and its loan token are unknown.' }
  if (missing.length === 0) return { ...facts, ok: true }
  return { ...facts, ok: false, reason: missing.map((what) => sentences[what]).join(' ') }
}

function verdict(rejection: Rejection | null): { ok: boolean; reason?: string; rejection?: Rejection } {
  return rejection === null ? { ok: true } : { ok: false, reason: describeRejection(rejection), rejection }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
