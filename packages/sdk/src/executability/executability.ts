import type { BlockRef, Rejection } from '@firmquote/core'
import type { Address, Hex } from 'viem'

/** The borrower's request: an `RFQRequest`, or the more specific `RFQ` from the auction's `started` event. */
export type ExecutabilityRequest = {
  poolId?: Hex
  /** In raw units of the loan token. The quote must have exactly this notional. */
  notional: bigint
  /** Maximum cost, raw units. */
  maxVrtAmount?: bigint
} & (
  | { seriesKey: Hex; expiry?: number }
  /** Unix seconds. Allows any series that expires at this time or later. */
  | { expiry: number; seriesKey?: never }
)

type Check<Name extends string, Facts> = Facts & {
  name: Name
  ok: boolean
  /** Why the check failed, in full sentences. */
  reason?: string
  /** The structured rejection, if one of the service's codes covers it. */
  rejection?: Rejection
}

/** 1. Whether the deadline leaves enough time to submit the transaction. Unix seconds. */
export type DeadlineCheck = Check<'deadline', { deadline: bigint; now: bigint; submissionWindowSeconds: number }>

/** 2. The maker's current nonce, and whether the quote was cancelled or filled. */
export type NonceAndStatusCheck = Check<
  'nonceAndStatus',
  { makerNonce: bigint; status: 'open' | 'filled' | 'cancelled'; hash: Hex }
>

/** 3. The maker's loan token balance and allowance for the quote market. Raw units. */
export type MakerFundsCheck = Check<'makerFunds', { balance: bigint; allowance: bigint; loanToken: Address | null }>

/** 4. Whether the quote has exactly the requested notional and series, and the series is unexpired. */
export type TermsCheck = Check<'terms', { notional: bigint; requestedNotional: bigint; seriesExpiry: number | null }>

/** 5. The result of the contract's `previewTakeQuote`: signature, capacity and borrower cost. Raw units. */
export type PreviewCheck = Check<'preview', { contractReason: string; borrowerCost: bigint; capacity: bigint }>

/** 6. Whether the borrower's balance and allowance cover the cost, and the market is the borrower's operator. */
export type BorrowerCheck = Check<
  'borrower',
  {
    balance: bigint
    allowance: bigint
    isOperator: boolean
    missing: readonly ('balance' | 'allowance' | 'operator')[]
  }
>

/** Whether a quote is executable as of a single block. */
export type Executability = {
  /** Whether all six checks passed. */
  executable: boolean
  /** The block at which all state was read. */
  block: BlockRef
  /** The borrower's cost, in raw units of the loan token. */
  cost: bigint
  /** The six checks, always in this order. */
  checks: readonly [DeadlineCheck, NonceAndStatusCheck, MakerFundsCheck, TermsCheck, PreviewCheck, BorrowerCheck]
}
