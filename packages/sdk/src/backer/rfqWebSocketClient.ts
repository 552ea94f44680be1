// This file is longer than 400 lines because every method of the public class has an example.

import type {
  AuctionDistanceMessage,
  AuctionResultMessage,
  AuthenticatedMessage,
  CheckpointMessage,
  ClientMessage,
  PublicRfqId,
  QuoteAckMessage,
  QuoteMarketQuote,
  QuoteStatusMessage,
  ReceiptMessage,
  RFQBroadcast,
  SerializedSignedQuote,
} from '@firmquote/core'
import { guardInput } from '@firmquote/core/utils'
import { steadyDelay } from '../backoff.ts'
import { checkCallOptions } from '../checkOptions.ts'
import { InvalidInputError } from '../coreErrors.ts'
import {
  type AuthenticationError,
  ClientError,
  ConnectionError,
  InvalidResponseError,
  ServiceError,
  TimeoutError,
} from '../errors.ts'
import { signedQuoteShape } from '../generated/decoders.ts'
import { type CallGuard, type CallOptions, guardCall } from '../http/callGuard.ts'
import { pause } from '../http/pause.ts'
import { rejectMisnamedOptions } from '../rejectMisnamedOptions.ts'
import type { BackerConnection, BackerConnectionMessage, OutgoingMessage } from './backerConnection.ts'
import { PendingReplies } from './pendingReplies.ts'
import { type ConnectOptions, ReconnectingSocket, type RFQWebSocketClose } from './reconnectingSocket.ts'
import { RfqDelivery } from './rfqDelivery.ts'
import { type ResolvedChannel, type RFQWebSocketConfig, resolveChannel } from './rfqWebSocketConfig.ts'
import { type RFQWebSocketResumed, StatusDelivery } from './statusDelivery.ts'

/** A backer's event callbacks. If a callback throws or rejects, `onError` receives the error. */
export type RFQWebSocketEvents = {
  /** The socket is open. Authentication follows. */
  onOpen?(): unknown
  onClose?(close: RFQWebSocketClose): unknown
  onError?(error: Error): unknown
  onAuthenticated?(message: AuthenticatedMessage): unknown
  /**
   * Authentication failed. The reason comes either from the service (`bad_signature`, `not_allowed`, `banned`, …) or from this
   * client. If the reason is `audience_mismatch`, `invalid_challenge`, `timestamp_out_of_window` or `signing_failed`,
   * nothing was signed.
   */
  onAuthFailed?(reason: string, error: AuthenticationError): unknown
  /** An RFQ to answer. After a reconnect, open RFQs that this backer has not answered are delivered again. */
  onRFQ?(rfq: RFQBroadcast): unknown
  onQuoteAck?(ack: QuoteAckMessage): unknown
  /** A receipt for a quote's verdict, if the channel requests `receipts`. It is not verified yet. */
  onReceipt?(receipt: ReceiptMessage): unknown
  onAuctionResult?(result: AuctionResultMessage): unknown
  /**
   * How far this backer's quote was from the best one. Sent one minute after the auction closes, only to makers with
   * funds.
   */
  onAuctionDistance?(distance: AuctionDistanceMessage): unknown
  /**
   * An on-chain status change of one of this maker's quotes, such as a fill. Each update is delivered once, in `seq`
   * order. Updates missed while disconnected are replayed after reconnecting. Store `seq` for `resumeFrom`.
   */
  onQuoteStatus?(status: QuoteStatusMessage): unknown
  /** All missed updates have been delivered to `onQuoteStatus`. */
  onResumed?(resumed: RFQWebSocketResumed): unknown
  /** A checkpoint of the service's log, for a registered witness. */
  onCheckpoint?(checkpoint: CheckpointMessage): unknown
}

/** A message of a witness. `createWitness` of `@firmquote/sdk/proofs` creates them. */
export type WitnessMessage = Extract<ClientMessage, { type: 'witness' | 'cosignature' }>

/** Options for a quote submission. */
export type SubmitOptions = CallOptions & {
  /** A trace context that continues the RFQ's `traceparent`. Sent only if the service accepts trace contexts. */
  traceparent?: string | undefined
}

const misnamedEvents = {
  onQuote: 'onRFQ',
  onRequest: 'onRFQ',
  onRfq: 'onRFQ',
  onFill: 'onQuoteStatus',
  onFilled: 'onQuoteStatus',
}

const resumeId = 'resume'
const resumeRetryMs = 1_000

type Reply = Extract<BackerConnectionMessage, { type: 'quote_ack' | 'pong' }>

/**
 * A backer's channel to `/ws/rfq`. Receives RFQs, submits quotes and reconnects automatically.
 *
 * The client signs one challenge per connection, only for the service that it connected to and its own chain and quote
 * market.
 *
 * @example
 * ```ts
 * const socket = new RFQWebSocketClient(
 *   { ...client.getConfig(), url: webSocketUrl, signer },
 *   {
 *     onRFQ: async (rfq) => {
 *       await socket.submitQuote(rfq.rfqId, price(rfq))
 *     },
 *     onError: (error) => console.log(error.message),
 *   },
 * )
 * await socket.connect()
 * ```
 */
export class RFQWebSocketClient {
  readonly #channel: ResolvedChannel
  readonly #events: RFQWebSocketEvents
  readonly #replies = new PendingReplies<Reply>()
  /** Callers that await the next connection. */
  readonly #reconnects = new PendingReplies<void>()
  readonly #delivery: RfqDelivery
  readonly #statuses: StatusDelivery
  readonly #socket: ReconnectingSocket

  /**
   * @throws {InvalidInputError} if the configuration is malformed.
   * @throws {WebSocketMissingError} if the runtime has no WebSocket and none is given.
   */
  constructor(config: RFQWebSocketConfig, events: RFQWebSocketEvents = {}) {
    this.#channel = resolveChannel(config)
    this.#events = checkEvents(events)
    this.#delivery = new RfqDelivery(this.#channel.clock, (rfq) => this.#emit('onRFQ', rfq))
    this.#statuses = new StatusDelivery(this.#channel.resumeFrom, {
      ask: (seq) => void this.#socket.connection?.send({ type: 'resume', id: resumeId, seq }),
      deliver: (status) => this.#emit('onQuoteStatus', status),
      resumed: (resumed) => this.#emit('onResumed', resumed),
    })
    this.#socket = new ReconnectingSocket(this.#channel, {
      onOpen: () => this.#emit('onOpen'),
      onAuthenticated: (message) => {
        this.#delivery.connected(message.openRfqs)
        this.#emit('onAuthenticated', message)
        if (events.onQuoteStatus) this.#statuses.connected(message.statusSeq)
        this.#reconnects.settleAll()
      },
      onAuthFailed: (error) => this.#emit('onAuthFailed', error.reason, error),
      onMessage: (message) => this.#receive(message),
      onError: (error) => this.#emit('onError', error),
      onLost: (close) => {
        this.#delivery.disconnected()
        this.#replies.failAll(() => brokenBeforeReply(close.code))
        this.#emit('onClose', close)
      },
      onStopped: () => this.#reconnects.failAll(() => brokenBeforeReply(undefined)),
    })
  }

  /**
   * Connects and authenticates. Once authenticated, reconnects automatically until `disconnect` is called. If the first
   * connection fails, the client gives up, unless `retry` is set. Aborting the signal disconnects. `connect` can be
   * called again after a failure or a disconnect.
   *
   * @throws {AuthenticationError} if either side rejects the other. The client does not retry.
   * @throws {ConnectionError} if the connection fails or the client is disconnected.
   * @throws {SignerError} `SIGNER_MISSING`.
   * @example
   * ```ts
   * const socket = new RFQWebSocketClient({ ...client.getConfig(), url: webSocketUrl, signer })
   * // Retries until the service is up.
   * await socket.connect({ retry: true })
   * ```
   */
  async connect(options: ConnectOptions = {}): Promise<void> {
    return this.#socket.connect(checkCallOptions(options))
  }

  /**
   * Closes the connection and stops reconnecting. Rejects pending calls.
   *
   * @example
   * ```ts
   * socket.disconnect()
   * socket.isConnected() // false
   * ```
   */
  disconnect(): void {
    this.#socket.stop(new ConnectionError('The client was disconnected.', { sent: 'no' }))
  }

  /**
   * Returns whether a connection is open, even if not authenticated.
   *
   * @example
   * ```ts
   * socket.isConnected() // true
   * ```
   */
  isConnected(): boolean {
    return this.#socket.connection?.isOpen ?? false
  }

  /**
   * Returns whether the connection is authenticated.
   *
   * @example
   * ```ts
   * socket.isAuth() // true
   * ```
   */
  isAuth(): boolean {
    return this.#socket.connection?.isAuthenticated ?? false
  }

  /**
   * Signs a quote and submits it in response to an RFQ. Until the timeout, the client resends the same signed quote if
   * the connection breaks before the verdict, or if the service cannot yet tell whether it stored the quote
   * (`OUTCOME_UNKNOWN`).
   *
   * @returns The service's verdict. A rejection is returned, not thrown (`status: 'rejected'`). After `OUTCOME_UNKNOWN`
   * the quote may still have been accepted, so do not sign another one for this RFQ. To get the verdict, even after the
   * close, call `submitSerializedQuote` with the same quote.
   * @throws {ConnectionError} If `sent` is `'no'`, the service did not receive the quote. If `sent` is `'maybe'`, the
   * connection broke and no verdict arrived in time over a later one: treat it like `OUTCOME_UNKNOWN`.
   * @throws {TimeoutError} if no verdict arrives in time: treat it like `OUTCOME_UNKNOWN`.
   * @throws {SignerError} if the quote was not signed.
   * @example
   * ```ts
   * const ack = await socket.submitQuote(rfq.rfqId, price(rfq))
   * if (ack.status === 'rejected') console.log(`${ack.code}: ${ack.message}`)
   * ```
   */
  async submitQuote(
    rfqId: PublicRfqId,
    quote: QuoteMarketQuote,
    options: SubmitOptions = {},
  ): Promise<QuoteAckMessage> {
    this.#requireConnection()
    return this.submitSerializedQuote(rfqId, await this.#channel.signer.signQuoteMarketQuote(quote), options)
  }

  /**
   * Submits a quote that is already signed. Otherwise identical to `submitQuote`.
   *
   * @throws {InvalidInputError} if it is not a signed quote.
   * @example
   * ```ts
   * const signed = await signer.signQuoteMarketQuote(price(rfq))
   * const { status } = await socket.submitSerializedQuote(rfq.rfqId, signed)
   * status // 'accepted'
   * ```
   */
  async submitSerializedQuote(
    rfqId: PublicRfqId,
    signed: SerializedSignedQuote,
    options: SubmitOptions = {},
  ): Promise<QuoteAckMessage> {
    guardInput('signed', () => signedQuoteShape(signed, 'signed'))
    const checked = checkCallOptions(options)
    const { signal, timeoutMs = this.#channel.ackTimeoutMs, traceparent } = checked
    const { clock, random } = this.#channel
    const guard = guardCall(clock, { signal, timeoutMs })
    /** Why the outcome is still unknown. */
    let open: QuoteAckMessage | ConnectionError | null = null
    try {
      for (let attempt = 0; ; attempt++) {
        try {
          const isTraced = traceparent !== undefined && this.#socket.connection?.takesTraceparent
          const message = { type: 'quote', rfqId, quote: signed, ...(isTraced && { traceparent }) } as const
          const reply = await this.#ask(message, guard)
          if (reply.type !== 'quote_ack') {
            throw new InvalidResponseError(`The service answered a quote with ${reply.type}.`)
          }
          if (reply.status === 'accepted' || reply.code !== 'OUTCOME_UNKNOWN') return reply
          open = reply
          await pause(clock, steadyDelay(attempt, random()), guard)
        } catch (error) {
          if (!(error instanceof ConnectionError) || (error.sent === 'no' && open === null)) throw error
          open ??= error
          // The connection is open but did not accept the message, so wait to avoid a busy loop.
          if (this.isAuth()) await pause(clock, steadyDelay(attempt, random()), guard)
          else await this.#whenConnected(error, guard)
        }
      }
    } catch (error) {
      if (!(error instanceof TimeoutError) || open === null) throw error
      if (open instanceof ConnectionError) throw open
      return open
    } finally {
      guard.release()
    }
  }

  /**
   * Declines an RFQ, so that the service does not wait for this backer.
   *
   * @param reason A short text for the service's operator.
   * @returns Whether it was sent.
   * @example
   * ```ts
   * socket.decline(rfq.rfqId, 'no inventory') // true
   * ```
   */
  decline(rfqId: PublicRfqId, reason?: string): boolean {
    const message = { type: 'decline', rfqId, ...(reason === undefined ? {} : { reason }) } as const
    const sent = this.isAuth() && this.#requireConnection().send(message)
    if (sent) this.#delivery.answered(rfqId)
    return sent
  }

  /**
   * Sends a message of a witness of the service's log. `onCheckpoint` receives the service's messages.
   *
   * @returns Whether it was sent.
   * @throws {InvalidInputError} if it is not a witness's message.
   * @example
   * ```ts
   * const key = 'maker.example.com/w1+4f3ad9c5+BJ5lAjlHRmyuhGZCPQd8R2xTm8rBzY0JpIfZyO0k7iKw'
   * socket.sendWitness({ type: 'witness', key, size: 0 }) // true
   * ```
   */
  sendWitness(message: WitnessMessage): boolean {
    const { type } = (message ?? {}) as WitnessMessage
    if (type !== 'witness' && type !== 'cosignature')
      throw new InvalidInputError("must be a witness's message.", { path: 'message' })
    return this.isAuth() && this.#requireConnection().send(message)
  }

  /**
   * Measures the round-trip time to the service. The client also sends its own pings, to detect dead connections.
   *
   * @returns The service's time in Unix milliseconds and the round-trip time in milliseconds.
   * @throws {ConnectionError} if there is no connection or it breaks.
   * @throws {TimeoutError} if no reply arrives in time.
   * @example
   * ```ts
   * const { serverTime, roundTripMs } = await socket.ping()
   * console.log(`${roundTripMs} ms, the clocks are ${Date.now() - serverTime} ms apart`)
   * ```
   */
  async ping(options: CallOptions = {}): Promise<{ serverTime: number; roundTripMs: number }> {
    const { clock, ackTimeoutMs } = this.#channel
    const { signal, timeoutMs = ackTimeoutMs } = checkCallOptions(options)
    const guard = guardCall(clock, { signal, timeoutMs })
    const startedAt = clock.now()
    try {
      const reply = await this.#ask({ type: 'ping' }, guard)
      if (reply.type !== 'pong') throw new InvalidResponseError(`The service answered a ping with ${reply.type}.`)
      return { serverTime: reply.serverTime, roundTripMs: Math.max(0, clock.now() - startedAt) }
    } finally {
      guard.release()
    }
  }

  async #ask(message: Extract<OutgoingMessage, { type: 'quote' | 'ping' }>, guard: CallGuard): Promise<Reply> {
    const early = guard.failure('no')
    if (early) throw early
    const id = this.#replies.nextId()
    if (!this.#requireConnection().send({ ...message, id })) throw neverSent()
    if (message.type === 'quote') this.#delivery.answered(message.rfqId)
    return this.#replies.wait(id, guard)
  }

  /** @throws {ConnectionError} with `sent: 'maybe'`, if the client no longer reconnects. */
  async #whenConnected({ closeCode }: ConnectionError, guard: CallGuard): Promise<void> {
    if (!this.#socket.isTrying) throw brokenBeforeReply(closeCode)
    return this.#reconnects.wait(this.#reconnects.nextId(), guard)
  }

  #requireConnection(): BackerConnection {
    const { connection } = this.#socket
    if (connection?.isAuthenticated) return connection
    throw neverSent()
  }

  #receive(message: BackerConnectionMessage): void {
    switch (message.type) {
      case 'rfq': {
        const { type: _, ...rfq } = message
        this.#delivery.receive(rfq)
        return
      }
      case 'quote_ack':
        this.#replies.settle(message.id, message)
        this.#emit('onQuoteAck', message)
        return
      case 'receipt':
        this.#emit('onReceipt', message)
        return
      case 'auction_result':
        this.#delivery.closed(message.rfqId)
        this.#emit('onAuctionResult', message)
        return
      case 'auction_distance':
        this.#emit('onAuctionDistance', message)
        return
      case 'quote_status':
        if (this.#events.onQuoteStatus) this.#statuses.receive(message)
        return
      case 'resumed':
        this.#statuses.resumed(message)
        return
      case 'checkpoint':
        this.#emit('onCheckpoint', message)
        return
      case 'pong':
        this.#replies.settle(message.id, message)
        return
      case 'error': {
        if (message.id === resumeId) {
          const { connection } = this.#socket
          this.#channel.clock.after(resumeRetryMs, () => {
            if (connection === this.#socket.connection) this.#statuses.retry()
          })
        }
        const error = new ServiceError(message.code, message.message)
        if (!this.#replies.fail(message.id, error)) this.#emit('onError', error)
      }
    }
  }

  #emit<K extends keyof RFQWebSocketEvents>(name: K, ...args: Parameters<NonNullable<RFQWebSocketEvents[K]>>): void {
    const report = (cause: unknown) => {
      if (name !== 'onError') this.#emit('onError', asError(cause, name))
    }
    try {
      const callback = this.#events[name] as ((...args: unknown[]) => unknown) | undefined
      Promise.resolve(callback?.apply(this.#events, args)).catch(report)
    } catch (error) {
      report(error)
    }
  }
}

function checkEvents(events: RFQWebSocketEvents): RFQWebSocketEvents {
  if (typeof events !== 'object' || events === null) {
    throw new InvalidInputError('must be an object of callbacks.', { path: 'events', given: events })
  }
  rejectMisnamedOptions(events, misnamedEvents)
  return events
}

function asError(thrown: unknown, name: string): Error {
  return thrown instanceof Error ? thrown : new ClientError('CALLBACK_FAILED', `${name} threw.`, { cause: thrown })
}

function neverSent(): ConnectionError {
  return new ConnectionError('There is no authenticated connection. Nothing was sent.', { sent: 'no' })
}

function brokenBeforeReply(closeCode: number | undefined): ConnectionError {
  return new ConnectionError('The connection broke before the reply arrived.', { sent: 'maybe', closeCode })
}
