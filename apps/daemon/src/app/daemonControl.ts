import type { PublicRfqId } from '@firmquote/core'
import {
  BaseError,
  type QuoteAckMessage,
  type QuoteMarketQuote,
  type RFQBroadcast,
  type SignedQuote,
} from '@firmquote/core'
import type { DecodeIssue } from '@firmquote/core/wire'
import type { DaemonPolicy, DaemonQuote, DaemonStatus, RaisedNonce } from '@firmquote/sdk/node'
import type { Address } from 'viem'

/**
 * What an operator can do with a running daemon: the socket's methods call it, with amounts as bigint and arguments that
 * have been decoded. Every method may throw a {@link ControlError}, whose message and facts reach the caller as they are;
 * anything else that is thrown reaches the caller as an internal error without its message.
 */
export type DaemonControl = {
  /** How the daemon is doing. */
  status(): Promise<DaemonStatus>
  /** The maker that the daemon signs for. */
  getAddress(): Promise<Address>
  /** The policy in force, amounts as bigint or decimal strings. Never a key. */
  getPolicy(): Promise<DaemonPolicy>
  /**
   * Changes the given fields of the policy, all of them or none.
   *
   * @param changes as they came over the wire: any JSON object, amounts as decimal strings.
   * @returns the whole policy that is in force from now on.
   * @throws {InvalidPolicyError} when the policy would not fit, with every mistake.
   */
  setPolicy(changes: Readonly<Record<string, unknown>>): Promise<DaemonPolicy>
  /** Withdraws from the open auctions and leaves RFQs unanswered from now on. Pausing twice is no mistake. */
  pause(): Promise<void>
  /** Answers RFQs again. Resuming twice is no mistake. */
  resume(): Promise<void>
  /** The RFQs that are open now. */
  listRfqs(): Promise<readonly RFQBroadcast[]>
  /** The quotes that the daemon has signed lately, the newest first. */
  listQuotes(): Promise<readonly DaemonQuote[]>
  /** Signs a quote, if the policy allows it and all live quotes together can still be honoured. */
  signQuote(quote: QuoteMarketQuote): Promise<SignedQuote>
  /** Submits a signed quote as the answer to an RFQ. @returns the service's verdict, a rejection too. */
  submitQuote(rfqId: PublicRfqId, quote: SignedQuote): Promise<QuoteAckMessage>
  /** Raises the maker's nonce on-chain. @returns the transaction and the hashes of the quotes that it ended. */
  raiseNonce(): Promise<RaisedNonce>
  /** Begins an orderly shutdown. Resolves once it has begun and never waits for it: the answer has to be sent before. */
  shutdown(): Promise<void>
}

/** Why a daemon refuses a call. Stable; each has its JSON-RPC code. */
export const controlCodes = [
  /** It is paused. */
  'PAUSED',
  /** It has no authenticated connection to the service. */
  'NOT_CONNECTED',
  /** With this quote its live quotes would be more than the smaller of balance and allowance. */
  'OVERCOMMITTED',
  /** Its policy forbids it. */
  'POLICY_REFUSED',
  /** The transaction was not sent, or was reverted. */
  'TRANSACTION_FAILED',
  /** The key could not sign. */
  'SIGNER_FAILED',
  /** There is no such RFQ that is open. */
  'RFQ_NOT_OPEN',
  /** The service's verdict did not arrive: the quote, or another one for the same RFQ, may have been accepted or not. */
  'VERDICT_UNKNOWN',
  /** The chain could not be read, so nothing was reserved. */
  'CHAIN_UNAVAILABLE',
  /** The daemon's own database could not be read or written, so nothing was reserved. */
  'STORAGE_UNAVAILABLE',
  /** It is shutting down. */
  'STOPPING',
  /** It is a dry run, which signs nothing. */
  'DRY_RUN',
] as const

/** One of {@link controlCodes}. */
export type ControlCode = (typeof controlCodes)[number]

/** What explains a refusal, as JSON: amounts as decimal strings. Never a key, never a signature. */
export type ControlFacts = Readonly<Record<string, string | number | boolean | null>>

/** The daemon refuses a call. `shortMessage` is for the operator: what is wrong and what would be right. */
export class ControlError extends BaseError {
  override name = 'ControlError'
  declare readonly code: ControlCode
  readonly facts: ControlFacts

  constructor(code: ControlCode, message: string, options: { facts?: ControlFacts; cause?: unknown } = {}) {
    super(code, message, 'cause' in options ? { cause: options.cause } : {})
    this.facts = options.facts ?? {}
  }
}

/** A policy does not fit; the one before stays in force. Code `INVALID_POLICY`. */
export class InvalidPolicyError extends BaseError {
  override name = 'InvalidPolicyError'
  /** Every mistake, with its path within the policy. */
  readonly issues: readonly DecodeIssue[]

  constructor(issues: readonly DecodeIssue[]) {
    super('INVALID_POLICY', 'The policy does not fit.')
    this.issues = issues
  }
}
