import {
  type PublicRfqId,
  type QuoteAckMessage,
  type QuoteMarketQuote,
  type RFQBroadcast,
  type SerializedSignedQuote,
  serializeQuote,
  serializeSignedQuote,
} from '@firmquote/core'
import type { Address } from 'viem'
import { type Clock, systemClock } from '../clock.ts'
import { quoteAckShape, signedQuoteShape } from '../generated/decoders.ts'
import type { CallOptions } from '../http/callGuard.ts'
import { decodeAnswer } from '../wire/decodeAnswer.ts'
import type { Shape } from '../wire/shape.ts'
import { RfqDaemonConnection } from './rfqDaemonConnection.ts'
import {
  addressShape,
  type DaemonPolicy,
  type DaemonQuote,
  type DaemonStatus,
  pausedShape,
  policyShape,
  quotesShape,
  type RaisedNonce,
  raisedNonceShape,
  rfqsShape,
  statusShape,
} from './rfqDaemonShapes.ts'

/** Where the daemon is; everything has a default. */
export type RfqDaemonClientOptions = {
  /** Default `$FIRMQUOTE_SOCKET`, else `/tmp/service.sock`. */
  socketPath?: string | undefined
  /** Milliseconds for a call that does not say otherwise. Default 30 000. */
  timeoutMs?: number | undefined
  clock?: Clock | undefined
}

/**
 * Talks to a backer daemon on this machine: JSON-RPC 2.0 over a Unix socket (specification, section 4). Node only.
 *
 * Every call throws `DaemonSocketError` when the socket is not a private one of this user, `ConnectionError` when the line
 * fails, `TimeoutError`, `AbortedError`, and `DaemonError` when the daemon refuses.
 */
export class RfqDaemonClient {
  readonly #connection: RfqDaemonConnection
  readonly #timeoutMs: number

  constructor(options: RfqDaemonClientOptions = {}) {
    const path = options.socketPath ?? process.env['FIRMQUOTE_SOCKET'] ?? '/tmp/service.sock'
    this.#connection = new RfqDaemonConnection(path, options.clock ?? systemClock)
    this.#timeoutMs = options.timeoutMs ?? 30_000
  }

  /** How the daemon is doing. */
  status(options?: CallOptions): Promise<DaemonStatus> {
    return this.#call('status', undefined, statusShape, options)
  }

  /** The maker that the daemon signs for. */
  async getAddress(options?: CallOptions): Promise<Address> {
    return (await this.#call('getAddress', undefined, addressShape, options)).address
  }

  /** How the daemon prices and what it risks. */
  getPolicy(options?: CallOptions): Promise<DaemonPolicy> {
    return this.#call('getPolicy', undefined, policyShape, options)
  }

  /** Changes the given fields of the policy. @returns the whole policy that rules from now on. */
  setPolicy(policy: DaemonPolicy, options?: CallOptions): Promise<DaemonPolicy> {
    return this.#call('setPolicy', policy, policyShape, options)
  }

  /** Leaves RFQs unanswered from now on. */
  async pause(options?: CallOptions): Promise<void> {
    await this.#call('pause', undefined, pausedShape, options)
  }

  /** Answers RFQs again. */
  async resume(options?: CallOptions): Promise<void> {
    await this.#call('resume', undefined, pausedShape, options)
  }

  /** The RFQs that are open now. */
  async listRfqs(options?: CallOptions): Promise<RFQBroadcast[]> {
    return (await this.#call('listRfqs', undefined, rfqsShape, options)).rfqs
  }

  /** The quotes that the daemon has signed lately. */
  async listQuotes(options?: CallOptions): Promise<DaemonQuote[]> {
    return (await this.#call('listQuotes', undefined, quotesShape, options)).quotes
  }

  /** Has the daemon sign a quote, if its policy allows it. */
  async signQuote(quote: QuoteMarketQuote, options?: CallOptions): Promise<SerializedSignedQuote> {
    return serializeSignedQuote(
      await this.#call('signQuote', { quote: serializeQuote(quote) }, signedQuoteShape, options),
    )
  }

  /** Has the daemon submit a signed quote as the answer to an RFQ. @returns the service's verdict. */
  submitQuote(rfqId: PublicRfqId, signed: SerializedSignedQuote, options?: CallOptions): Promise<QuoteAckMessage> {
    return this.#call('submitQuote', { rfqId, quote: signed }, quoteAckShape, options)
  }

  /** Has the daemon end all of its quotes on-chain. @returns the transaction, and which quotes it ended. */
  raiseNonce(options?: CallOptions): Promise<RaisedNonce> {
    return this.#call('raiseNonce', undefined, raisedNonceShape, options)
  }

  /** Ends the daemon. */
  async shutdown(options?: CallOptions): Promise<void> {
    await this.#call('shutdown', undefined, (value) => value, options)
  }

  /** Closes the line for good; whatever still waits for an answer is rejected. */
  close(): void {
    this.#connection.close()
  }

  async #call<T>(method: string, params: unknown, shape: Shape<T>, options: CallOptions = {}): Promise<T> {
    const { signal, timeoutMs = this.#timeoutMs } = options
    const result = await this.#connection.call(method, params, { signal, timeoutMs })
    return decodeAnswer(shape, result, `The daemon's answer to ${method}`)
  }
}
