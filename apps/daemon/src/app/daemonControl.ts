import {
  BaseError,
  type PublicRfqId,
  type QuoteAckMessage,
  type QuoteMarketQuote,
  type RFQBroadcast,
  type SignedQuote,
} from '@firmquote/core'
import type { DecodeIssue } from '@firmquote/core/wire'
import type { DaemonPolicy, DaemonQuote, DaemonStatus, RaisedNonce } from '@firmquote/sdk/node'
import type { Address } from 'viem'

/**
 * Operations that an operator can call on a running daemon. The socket's methods call these operations with decoded
 * arguments, in which amounts are bigint. Every method may throw a {@link ControlError}, whose message and facts are
 * sent to the caller. For any other error, the caller receives an internal error without details.
 */
export type DaemonControl = {
  /** The daemon's status. */
  status(): Promise<DaemonStatus>
  /** The maker for which the daemon signs. */
  getAddress(): Promise<Address>
  /** The active policy, with amounts as bigint or decimal strings. Never contains a key. */
  getPolicy(): Promise<DaemonPolicy>
  /**
   * Changes all of the given policy fields or, if any is invalid, none.
   *
   * @param changes any JSON object from the wire, with amounts as decimal strings.
   * @returns the complete policy now active.
   * @throws {InvalidPolicyError} if the new policy is invalid. Lists every mistake.
   */
  setPolicy(changes: Readonly<Record<string, unknown>>): Promise<DaemonPolicy>
  /** Withdraws from open auctions and stops answering RFQs. No effect if already paused. */
  pause(): Promise<void>
  /** Resumes answering RFQs. No effect if not paused. */
  resume(): Promise<void>
  /** The open RFQs. */
  listRfqs(): Promise<readonly RFQBroadcast[]>
  /** Recently signed quotes, newest first. */
  listQuotes(): Promise<readonly DaemonQuote[]>
  /** Signs a quote if the policy allows it and the funds cover this quote and all live quotes. */
  signQuote(quote: QuoteMarketQuote): Promise<SignedQuote>
  /**
   * Submits a signed quote in response to an RFQ.
   *
   * @returns the service's verdict, which may be a rejection.
   */
  submitQuote(rfqId: PublicRfqId, quote: SignedQuote): Promise<QuoteAckMessage>
  /**
   * Raises the maker's nonce on-chain.
   *
   * @returns the transaction, and the hashes of the quotes that it invalidated.
   */
  raiseNonce(): Promise<RaisedNonce>
  /** Starts a graceful shutdown. Resolves before the shutdown completes, so that the response can still be sent. */
  shutdown(): Promise<void>
}

/** Codes of refused calls. The codes are stable, and each maps to a JSON-RPC code. */
export const controlCodes = [
  /** The daemon is paused. */
  'PAUSED',
  /** There is no authenticated connection to the service. */
  'NOT_CONNECTED',
  /** Live quotes, including this one, would exceed the balance or the allowance. */
  'OVERCOMMITTED',
  /** The policy does not allow the quote. */
  'POLICY_REFUSED',
  /** The transaction was not sent, or was reverted. */
  'TRANSACTION_FAILED',
  /** The key failed to sign. */
  'SIGNER_FAILED',
  /** No such RFQ is open. */
  'RFQ_NOT_OPEN',
  /** The service's verdict is unknown: this quote, or another one for the same RFQ, may have been accepted. */
  'VERDICT_UNKNOWN',
  /** A chain read failed. No funds were reserved. */
  'CHAIN_UNAVAILABLE',
  /** The daemon's database failed. No funds were reserved. */
  'STORAGE_UNAVAILABLE',
  /** The daemon is shutting down. */
  'STOPPING',
  /** The daemon runs with `--dry-run` and signs nothing. */
  'DRY_RUN',
] as const

/** One of {@link controlCodes}. */
export type ControlCode = (typeof controlCodes)[number]

/** Facts that explain a refusal, as JSON with amounts as decimal strings. They never contain a key or a signature. */
export type ControlFacts = Readonly<Record<string, string | number | boolean | null>>

/** Thrown when the daemon refuses a call. `shortMessage` states the problem and what to do about it. */
export class ControlError extends BaseError {
  override name = 'ControlError'
  declare readonly code: ControlCode
  readonly facts: ControlFacts

  constructor(code: ControlCode, message: string, options: { facts?: ControlFacts; cause?: unknown } = {}) {
    super(code, message, 'cause' in options ? { cause: options.cause } : {})
    this.facts = options.facts ?? {}
  }
}

/** Thrown if a new policy is invalid. The previous policy stays active. Code `INVALID_POLICY`. */
export class InvalidPolicyError extends BaseError {
  override name = 'InvalidPolicyError'
  /** Every mistake, with its path in the policy. */
  readonly issues: readonly DecodeIssue[]

  constructor(issues: readonly DecodeIssue[]) {
    super('INVALID_POLICY', 'The policy is invalid.')
    this.issues = issues
  }
}
