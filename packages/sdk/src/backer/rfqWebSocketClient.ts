import type {
  AuctionResultMessage,
  AuthenticatedMessage,
  PublicRfqId,
  QuoteAckMessage,
  QuoteMarketQuote,
  RFQBroadcast,
  SerializedSignedQuote,
} from '@firmquote/core'
import {
  AbortedError,
  type AuthenticationError,
  ClientError,
  ConnectionError,
  InvalidResponseError,
  ServiceError,
} from '../errors.ts'
import { signedQuoteShape } from '../generated/decoders.ts'
import type { CallOptions } from '../http/callGuard.ts'
import type { BackerLine, BackerLineMessage, OutgoingMessage } from './backerLine.ts'
import { PendingReplies } from './pendingReplies.ts'
import { type ConnectOptions, PersistentLine, type RFQWebSocketClose } from './persistentLine.ts'
import { RfqInbox } from './rfqInbox.ts'
import { type ResolvedChannel, type RFQWebSocketConfig, resolveChannel } from './rfqWebSocketConfig.ts'

/**
 * What a backer is told (specification, section 6). A callback that throws or rejects harms nothing: `onError` is told.
 */
export type RFQWebSocketEvents = {
  /** The line is open; authentication comes next. */
  onOpen?(): unknown
  onClose?(close: RFQWebSocketClose): unknown
  onError?(error: Error): unknown
  onAuthenticated?(message: AuthenticatedMessage): unknown
  /**
   * The service's reason (`bad_signature`, `not_allowed`, …), or this client's: with `audience_mismatch`,
   * `invalid_challenge`, `timestamp_out_of_window` and `signing_failed` nothing was signed.
   */
  onAuthFailed?(reason: string, error: AuthenticationError): unknown
  /** An RFQ to answer. After a reconnect those still open come again, except what this backer has answered. */
  onRFQ?(rfq: RFQBroadcast): unknown
  onQuoteAck?(ack: QuoteAckMessage): unknown
  onAuctionResult?(result: AuctionResultMessage): unknown
}

type Reply = Extract<BackerLineMessage, { type: 'quote_ack' | 'pong' }>

/**
 * A backer's channel to `/ws/rfq`: receives RFQs, submits quotes, and comes back by itself when the line breaks.
 *
 * It answers a challenge only of the service that it dialled, for its own chain and quote market, once for each line.
 */
export class RFQWebSocketClient {
  readonly #channel: ResolvedChannel
  readonly #events: RFQWebSocketEvents
  readonly #replies: PendingReplies<Reply>
  readonly #inbox: RfqInbox
  readonly #lines: PersistentLine

  /**
   * @throws {InvalidInputError} when the configuration is malformed.
   * @throws {WebSocketMissingError} when the runtime has no WebSocket and none is given.
   */
  constructor(config: RFQWebSocketConfig, events: RFQWebSocketEvents = {}) {
    this.#channel = resolveChannel(config)
    this.#events = events
    this.#replies = new PendingReplies(this.#channel.clock)
    this.#inbox = new RfqInbox(this.#channel.clock, (rfq) => this.#tell('onRFQ', rfq))
    this.#lines = new PersistentLine(this.#channel, {
      onOpen: () => this.#tell('onOpen'),
      onAuthenticated: (message) => {
        this.#inbox.begin(message.openRfqs)
        this.#tell('onAuthenticated', message)
      },
      onAuthFailed: (error) => this.#tell('onAuthFailed', error.reason, error),
      onMessage: (message) => this.#receive(message),
      onError: (error) => this.#tell('onError', error),
      onLost: (close) => {
        this.#inbox.end()
        this.#replies.failAll(() => brokenBeforeReply(close.code))
        this.#tell('onClose', close)
      },
    })
  }

  /**
   * Connects and authenticates. Once that has worked, the client reconnects by itself until `disconnect`; before, the
   * first line decides unless `retry` is set. Aborting disconnects.
   *
   * @throws {AuthenticationError} when one side does not trust the other; the client has stopped for good.
   * @throws {ConnectionError} when the line fails, or the client was disconnected.
   * @throws {SignerError} `SIGNER_MISSING`.
   */
  connect(options: ConnectOptions = {}): Promise<void> {
    return this.#lines.connect(options)
  }

  /** Closes the line for good: no reconnect, and whatever still waits for an answer is rejected. */
  disconnect(): void {
    this.#lines.stop(new ConnectionError('The client was disconnected.', { sent: 'no' }))
  }

  /** Whether a line is open, authenticated or not. */
  isConnected(): boolean {
    return this.#lines.line?.isOpen ?? false
  }

  /** Whether the service has let this backer in. */
  isAuth(): boolean {
    return this.#lines.line?.isAuthenticated ?? false
  }

  /**
   * Signs a quote and submits it as the answer to an RFQ.
   *
   * @returns the service's verdict; a refusal is a value too (`status: 'rejected'`).
   * @throws {ConnectionError} `sent: 'no'`: the service has not seen it. `sent: 'maybe'`: the line broke before the verdict
   * came; submitting again is safe, the service takes one quote for each RFQ.
   * @throws {TimeoutError} when the verdict does not come in time.
   * @throws {SignerError} when it was not signed.
   */
  async submitQuote(rfqId: PublicRfqId, quote: QuoteMarketQuote, options: CallOptions = {}): Promise<QuoteAckMessage> {
    this.#requireLine()
    return this.submitSerializedQuote(rfqId, await this.#channel.signer.signQuoteMarketQuote(quote), options)
  }

  /**
   * Submits a quote that is signed already; else like `submitQuote`.
   *
   * @throws {InvalidInputError} when it is not a signed quote.
   */
  async submitSerializedQuote(
    rfqId: PublicRfqId,
    signed: SerializedSignedQuote,
    options: CallOptions = {},
  ): Promise<QuoteAckMessage> {
    signedQuoteShape(signed, 'signed')
    const reply = await this.#ask({ type: 'quote', rfqId, quote: signed }, options)
    if (reply.type === 'quote_ack') return reply
    throw new InvalidResponseError(`The service answered a quote with ${reply.type}.`)
  }

  /** Tells the service, as a courtesy, that this backer will not answer an RFQ. @returns whether it was sent. */
  decline(rfqId: PublicRfqId, reason?: string): boolean {
    const message = { type: 'decline', rfqId, ...(reason === undefined ? {} : { reason }) } as const
    const sent = this.isAuth() && this.#requireLine().send(message)
    if (sent) this.#inbox.answered(rfqId)
    return sent
  }

  /**
   * Asks the service for a sign of life. The client does so by itself, too.
   *
   * @returns the service's time in Unix milliseconds, and how long the answer took.
   * @throws {ConnectionError} when there is no line, or it breaks.
   * @throws {TimeoutError} when nothing comes back.
   */
  async ping(options: CallOptions = {}): Promise<{ serverTime: number; roundTripMs: number }> {
    const { clock } = this.#channel
    const startedAt = clock.now()
    const reply = await this.#ask({ type: 'ping' }, options)
    if (reply.type !== 'pong') throw new InvalidResponseError(`The service answered a ping with ${reply.type}.`)
    return { serverTime: reply.serverTime, roundTripMs: Math.max(0, clock.now() - startedAt) }
  }

  async #ask(
    message: Extract<OutgoingMessage, { type: 'quote' | 'ping' }>,
    { signal, timeoutMs = this.#channel.ackTimeoutMs }: CallOptions,
  ): Promise<Reply> {
    if (signal?.aborted) throw new AbortedError({ sent: 'no', cause: signal.reason })
    const id = this.#replies.nextId()
    if (!this.#requireLine().send({ ...message, id })) throw neverSent()
    if (message.type === 'quote') this.#inbox.answered(message.rfqId)
    return this.#replies.wait(id, { signal, timeoutMs })
  }

  #requireLine(): BackerLine {
    const { line } = this.#lines
    if (line?.isAuthenticated) return line
    throw neverSent()
  }

  #receive(message: BackerLineMessage): void {
    switch (message.type) {
      case 'rfq': {
        const { type: _, ...rfq } = message
        this.#inbox.receive(rfq)
        return
      }
      case 'quote_ack':
        this.#replies.settle(message.id, message)
        this.#tell('onQuoteAck', message)
        return
      case 'auction_result':
        this.#inbox.closed(message.rfqId)
        this.#tell('onAuctionResult', message)
        return
      case 'pong':
        this.#replies.settle(message.id, message)
        return
      case 'error': {
        const error = new ServiceError(message.code, message.message)
        if (!this.#replies.fail(message.id, error)) this.#tell('onError', error)
      }
    }
  }

  #tell<K extends keyof RFQWebSocketEvents>(name: K, ...args: Parameters<NonNullable<RFQWebSocketEvents[K]>>): void {
    const callback = this.#events[name] as ((...args: unknown[]) => unknown) | undefined
    const report = (cause: unknown) => {
      if (name !== 'onError') this.#tell('onError', asError(cause, name))
    }
    try {
      Promise.resolve(callback?.apply(this.#events, args)).catch(report)
    } catch (error) {
      report(error)
    }
  }
}

function asError(thrown: unknown, name: string): Error {
  return thrown instanceof Error ? thrown : new ClientError('CALLBACK_FAILED', `${name} threw.`, { cause: thrown })
}

function neverSent(): ConnectionError {
  return new ConnectionError('There is no authenticated line; nothing was sent.', { sent: 'no' })
}

function brokenBeforeReply(closeCode: number): ConnectionError {
  return new ConnectionError('The line broke before the answer came.', { sent: 'maybe', closeCode })
}
