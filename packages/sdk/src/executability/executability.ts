import type { BlockRef, Rejection } from '@firmquote/core'
import type { Address, Hex } from 'viem'

/** What the borrower asked for: an `RFQRequest`, or the `RFQ` of the auction's `started` event, which is stricter. */
export type ExecutabilityRequest = {
  poolId?: Hex
  /** Raw units of the loan token. The quote must be for exactly this. */
  notional: bigint
  /** The most that it may cost, raw units. */
  maxVrtAmount?: bigint
} & (
  | { seriesKey: Hex; expiry?: number }
  /** Unix seconds: any series that ends then or later. */
  | { expiry: number; seriesKey?: never }
)

type Check<Name extends string, Facts> = Facts & {
  name: Name
  ok: boolean
  /** Why it is not ok, in full sentences. */
  reason?: string
  /** The same for programs, where one of the service's codes covers it. */
  rejection?: Rejection
}

/** 1. The deadline, with a safe window for the submission. Unix seconds. */
export type DeadlineCheck = Check<'deadline', { deadline: bigint; now: bigint; submissionWindowSeconds: number }>

/** 2. The maker's current nonce, and whether the quote was cancelled or filled. */
export type NonceAndStatusCheck = Check<
  'nonceAndStatus',
  { makerNonce: bigint; status: 'open' | 'filled' | 'cancelled'; hash: Hex }
>

/** 3. The maker's loan tokens, and how many of them the quote market may move. Raw units. */
export type MakerFundsCheck = Check<'makerFunds', { balance: bigint; allowance: bigint; loanToken: Address | null }>

/** 4. The requested notional and series, exactly; with the series still running. */
export type TermsCheck = Check<'terms', { notional: bigint; requestedNotional: bigint; seriesExpiry: number | null }>

/** 5. The result of the contract's `previewTakeQuote`: signature, capacity, borrower cost. Raw units. */
export type PreviewCheck = Check<'preview', { contractReason: string; borrowerCost: bigint; capacity: bigint }>

/** 6. The borrower's loan tokens and allowance for the cost, and the market's operator permission. */
export type BorrowerCheck = Check<
  'borrower',
  {
    balance: bigint
    allowance: bigint
    isOperator: boolean
    missing: readonly ('balance' | 'allowance' | 'operator')[]
  }
>

/** Whether a quote can be taken, at one block. */
export type Executability = {
  /** All six are ok. */
  executable: boolean
  /** The block at which everything was read. */
  block: BlockRef
  /** What the borrower pays, raw units of the loan token. */
  cost: bigint
  /** Always all six, in this order. */
  checks: readonly [DeadlineCheck, NonceAndStatusCheck, MakerFundsCheck, TermsCheck, PreviewCheck, BorrowerCheck]
}
