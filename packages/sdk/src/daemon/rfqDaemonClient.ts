import {
  type PublicRfqId,
  type QuoteAckMessage,
  type QuoteMarketQuote,
  type RFQBroadcast,
  type SerializedSignedQuote,
  serializeQuote,
  serializeSignedQuote,
} from '@firmquote/core'
import { type Clock, systemClock } from '@firmquote/core/utils'
import type { Address } from 'viem'
import { checkCallOptions, checkEnvironment } from '../checkOptions.ts'
import { InvalidInputError } from '../coreErrors.ts'
import { quoteAckShape, signedQuoteShape } from '../generated/decoders.ts'
import type { CallOptions } from '../http/callGuard.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
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

/** Options for the daemon client. All are optional. */
export type RfqDaemonClientOptions = {
  /** Default: `$FIRMQUOTE_SOCKET`, or `/tmp/service.sock` if that is unset. */
  socketPath?: string | undefined
  /** Timeout of a call in milliseconds, unless the call sets its own. Default 30 000. */
  timeoutMs?: number | undefined
  clock?: Clock | undefined
}

/**
 * A client for a local backer daemon. Speaks JSON-RPC 2.0 over a Unix socket. Node only.
 *
 * Every call may throw `DaemonSocketError` (the socket is not private to this user), `ConnectionError`, `TimeoutError`,
 * `AbortedError`, and `DaemonError` (the daemon rejected the call).
 */
export class RfqDaemonClient {
  readonly #connection: RfqDaemonConnection
  readonly #timeoutMs: number

  /** @throws {InvalidInputError} if an option is malformed. */
  constructor(given: RfqDaemonClientOptions = {}) {
    const options = checkEnvironment(given)
    // Ignoring the misspelled option `socket` would connect to the daemon at the default path.
    rejectMisnamedOptions(options, { socket: 'socketPath' })
    const path = options.socketPath ?? process.env['FIRMQUOTE_SOCKET'] ?? '/tmp/service.sock'
    if (typeof path !== 'string' || path === '') {
      throw new InvalidInputError('must be the path of a socket.', { path: 'socketPath', given: path })
    }
    this.#connection = new RfqDaemonConnection(path, options.clock ?? systemClock)
    this.#timeoutMs = options.timeoutMs ?? 30_000
  }

  /** Reads the daemon's state and its connection to the service. */
  status(options?: CallOptions): Promise<DaemonStatus> {
    return this.#call('status', undefined, statusShape, options)
  }

  /** Reads the maker's address. */
  async getAddress(options?: CallOptions): Promise<Address> {
    return (await this.#call('getAddress', undefined, addressShape, options)).address
  }

  /** Reads the daemon's pricing policy, including its limits. */
  getPolicy(options?: CallOptions): Promise<DaemonPolicy> {
    return this.#call('getPolicy', undefined, policyShape, options)
  }

  /** Changes the given fields of the daemon's pricing policy. @returns The complete new policy. */
  setPolicy(policy: DaemonPolicy, options?: CallOptions): Promise<DaemonPolicy> {
    return this.#call('setPolicy', policy, policyShape, options)
  }

  /** Stops answering RFQs. */
  async pause(options?: CallOptions): Promise<void> {
    await this.#call('pause', undefined, pausedShape, options)
  }

  /** Resumes answering RFQs. */
  async resume(options?: CallOptions): Promise<void> {
    await this.#call('resume', undefined, pausedShape, options)
  }

  /** Lists the open RFQs. */
  async listRfqs(options?: CallOptions): Promise<RFQBroadcast[]> {
    return (await this.#call('listRfqs', undefined, rfqsShape, options)).rfqs
  }

  /** Lists the quotes that the daemon has signed recently. */
  async listQuotes(options?: CallOptions): Promise<DaemonQuote[]> {
    return (await this.#call('listQuotes', undefined, quotesShape, options)).quotes
  }

  /** Asks the daemon to sign a quote, subject to its policy. */
  async signQuote(quote: QuoteMarketQuote, options?: CallOptions): Promise<SerializedSignedQuote> {
    return serializeSignedQuote(
      await this.#call('signQuote', { quote: serializeQuote(quote) }, signedQuoteShape, options),
    )
  }

  /** Asks the daemon to submit a signed quote in response to an RFQ. @returns The service's verdict. */
  submitQuote(rfqId: PublicRfqId, signed: SerializedSignedQuote, options?: CallOptions): Promise<QuoteAckMessage> {
    return this.#call('submitQuote', { rfqId, quote: signed }, quoteAckShape, options)
  }

  /**
   * Raises the maker's nonce on-chain, which invalidates all its quotes.
   *
   * @returns The transaction and the invalidated quotes.
   */
  raiseNonce(options?: CallOptions): Promise<RaisedNonce> {
    return this.#call('raiseNonce', undefined, raisedNonceShape, options)
  }

  /** Stops the daemon. */
  async shutdown(options?: CallOptions): Promise<void> {
    await this.#call('shutdown', undefined, (value) => value, options)
  }

  /** Closes the connection permanently and rejects pending calls. */
  close(): void {
    this.#connection.close()
  }

  async #call<T>(method: string, params: unknown, shape: Shape<T>, options: CallOptions = {}): Promise<T> {
    const { signal, timeoutMs = this.#timeoutMs } = checkCallOptions(options)
    const result = await this.#connection.call(method, params, { signal, timeoutMs })
    return decodeAnswer(shape, result, `The daemon's answer to ${method}`)
  }
}
