import { BaseError, type BaseErrorOptions, type Code, type RfqId } from '@firmquote/core'
import { documented } from './coreErrors.ts'

/**
 * Whether a request may have reached the other side. `no` means that the request was definitely not delivered, so a
 * retry cannot duplicate it.
 */
export type Delivery = 'no' | 'maybe'

/**
 * Details about the failed exchange.
 *
 * @inline
 */
export type ClientErrorOptions = BaseErrorOptions & {
  status?: number | undefined
  requestId?: string | undefined
}

/**
 * Base class of communication errors between a client and a service.
 *
 * @example
 * ```ts
 * try {
 *   await client.getQuoteMarketQuote(`0x${'00'.repeat(32)}`)
 * } catch (error) {
 *   if (!(error instanceof ClientError)) throw error
 *   console.log('for the operator:', error.requestId)
 *   error.status // 404
 * }
 * ```
 */
export class ClientError extends BaseError {
  override name = 'ClientError'
  /** The HTTP status, if the service responded. */
  readonly status: number | undefined
  /** The service's id for the request, which appears in its logs. */
  readonly requestId: string | undefined

  constructor(code: string, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options)
    this.status = options.status
    this.requestId = options.requestId
  }
}

/** A service error code. Newer services may send additional codes. */
export type ServiceErrorCode = Code | (string & Record<never, never>)

/**
 * The service rejected the request with a problem document (RFC 9457).
 *
 * @example
 * ```ts
 * try {
 *   await client.getRfq(toRfqId('0123456789abcdef0123456789abcdef'))
 * } catch (error) {
 *   if (!(error instanceof ServiceError)) throw error
 *   error.code // 'RFQ_NOT_FOUND'
 * }
 * ```
 */
export class ServiceError extends ClientError {
  override name = 'ServiceError'
  declare readonly code: ServiceErrorCode
  /** The invalid parts of the request, each with its path. */
  readonly issues: readonly { path: string; message: string }[]
  /** Details of the rejection in wire form, with amounts as decimal strings. */
  readonly facts: Readonly<Record<string, unknown>>
  /** Milliseconds to wait before retrying, if the service specifies them. */
  readonly retryAfterMs: number | undefined
  /** URL of the code's documentation on the service itself, if the service provides one. */
  readonly docs: string | undefined

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: ClientErrorOptions & {
      issues?: readonly { path: string; message: string }[] | undefined
      facts?: Record<string, unknown> | undefined
      retryAfterMs?: number | undefined
      docs?: string | undefined
    } = {},
  ) {
    super(code, message, documented('serviceerror', options))
    this.issues = options.issues ?? []
    this.facts = options.facts ?? {}
    this.retryAfterMs = options.retryAfterMs
    this.docs = options.docs
  }
}

/**
 * The connection broke or could not be opened. Code `CONNECTION_FAILED`.
 *
 * @example
 * ```ts
 * socket.disconnect()
 * try {
 *   await socket.ping()
 * } catch (error) {
 *   if (!(error instanceof ConnectionError)) throw error
 *   error.sent // 'no'
 * }
 * ```
 */
export class ConnectionError extends ClientError {
  override name = 'ConnectionError'
  readonly sent: Delivery
  /** The WebSocket close code, if there was one. */
  readonly closeCode: number | undefined

  constructor(message: string, options: ClientErrorOptions & { sent: Delivery; closeCode?: number | undefined }) {
    super('CONNECTION_FAILED', message, documented('connectionerror', options))
    this.sent = options.sent
    this.closeCode = options.closeCode
  }
}

/**
 * The call timed out. Code `TIMEOUT`.
 *
 * @example
 * ```ts
 * try {
 *   await client.requestQuotes(request, { timeoutMs: 100 })
 * } catch (error) {
 *   if (!(error instanceof TimeoutError)) throw error
 *   error.timeoutMs // 100
 * }
 * ```
 */
export class TimeoutError extends ClientError {
  override name = 'TimeoutError'
  readonly sent: Delivery
  readonly timeoutMs: number

  constructor(message: string, options: ClientErrorOptions & { sent: Delivery; timeoutMs: number }) {
    super('TIMEOUT', message, documented('timeouterror', options))
    this.sent = options.sent
    this.timeoutMs = options.timeoutMs
  }
}

/**
 * The caller's `AbortSignal` aborted the call. `cause` is the signal's reason. Code `ABORTED`, name `AbortError`.
 *
 * @example
 * ```ts
 * const controller = new AbortController()
 * const asked = client.requestQuotes(request, { signal: controller.signal })
 * controller.abort()
 * try {
 *   await asked
 * } catch (error) {
 *   if (!(error instanceof AbortedError)) throw error
 *   error.code // 'ABORTED'
 * }
 * ```
 */
export class AbortedError extends ClientError {
  // The platform's name for abort errors, which callers already check for.
  override name = 'AbortError'
  readonly sent: Delivery

  constructor(options: ClientErrorOptions & { sent: Delivery }) {
    super('ABORTED', 'The call was aborted.', documented('abortederror', options))
    this.sent = options.sent
  }
}

/**
 * The response is malformed. Code `INVALID_RESPONSE`.
 *
 * @example
 * ```ts
 * const client = new ServiceClient({ orderbookUrl }, { fetch: async () => new Response('a proxy error page') })
 * try {
 *   await client.getHealth()
 * } catch (error) {
 *   if (!(error instanceof InvalidResponseError)) throw error
 *   error.code // 'INVALID_RESPONSE'
 * }
 * ```
 */
export class InvalidResponseError extends ClientError {
  override name = 'InvalidResponseError'

  constructor(message: string, options: ClientErrorOptions = {}) {
    super('INVALID_RESPONSE', message, documented('invalidresponseerror', options))
  }
}

/**
 * A stream of quotes ended before its auction closed, and could not be resumed. Code `STREAM_INTERRUPTED`. `cause` is
 * the last failure. If `rfqId` is set, call `followAuction(rfqId)` to continue the stream or `getRfq(rfqId)` to get the
 * result.
 *
 * @example
 * ```ts
 * try {
 *   for await (const event of client.streamQuotes(request)) console.log(event.type)
 * } catch (error) {
 *   if (!(error instanceof StreamError) || error.rfqId === null) throw error
 *   for await (const event of client.followAuction(error.rfqId)) console.log(event.type)
 * }
 * ```
 */
export class StreamError extends ClientError {
  override name = 'StreamError'
  /** The auction's id, or null if the stream ended before the `started` event. */
  readonly rfqId: RfqId | null

  constructor(code: string, message: string, options: ClientErrorOptions & { rfqId: RfqId | null }) {
    super(code, message, documented('streamerror', options))
    this.rfqId = options.rfqId
  }
}

/**
 * The service rejected this backer, or this client rejected the service's challenge. Code `AUTH_FAILED`.
 *
 * @example
 * ```ts
 * client.setPrivateKey(key)
 * try {
 *   await client.connectWebSocket({}, { audience: 'wss://other.example/ws/rfq' })
 * } catch (error) {
 *   if (!(error instanceof AuthenticationError)) throw error
 *   error.reason // 'audience_mismatch'
 * }
 * ```
 */
export class AuthenticationError extends ClientError {
  override name = 'AuthenticationError'
  /**
   * A stable reason, either from the service (`bad_signature`, `not_allowed`, `banned`, …) or from this client
   * (`audience_mismatch`, …).
   */
  readonly reason: string

  constructor(reason: string, message: string, options: ClientErrorOptions = {}) {
    super('AUTH_FAILED', message, documented('authenticationerror', options))
    this.reason = reason
  }
}

/** Why a signer did not sign. */
export type SignerErrorCode =
  | 'SIGNER_MISSING'
  | 'INVALID_PRIVATE_KEY'
  | 'MAKER_MISMATCH'
  | 'INVALID_CHALLENGE'
  | 'AUDIENCE_MISMATCH'
  | 'TIMESTAMP_OUT_OF_WINDOW'
  | 'SIGNING_FAILED'

/**
 * Nothing was signed. The error never contains a key or a signature.
 *
 * @example
 * ```ts
 * try {
 *   await new BackerSigner(client.getConfig()).signQuoteMarketQuote(quote)
 * } catch (error) {
 *   if (!(error instanceof SignerError)) throw error
 *   error.code // 'SIGNER_MISSING'
 * }
 * ```
 */
export class SignerError extends BaseError {
  override name = 'SignerError'
  declare readonly code: SignerErrorCode

  constructor(code: SignerErrorCode, message: string, options: BaseErrorOptions = {}) {
    super(code, message, documented('signererror', options))
  }
}

/**
 * This runtime has no global `WebSocket`, and no class was passed. Code `WEBSOCKET_MISSING`.
 *
 * @example
 * ```ts
 * client.setPrivateKey(key)
 * try {
 *   await client.connectWebSocket()
 * } catch (error) {
 *   if (!(error instanceof WebSocketMissingError)) throw error
 *   console.log('Pass the WebSocket class from the ws package: new ServiceClient(config, { WebSocket }).')
 * }
 * ```
 */
export class WebSocketMissingError extends BaseError {
  override name = 'WebSocketMissingError'

  constructor() {
    super(
      'WEBSOCKET_MISSING',
      'This runtime has no WebSocket (Node has one from version 22).',
      documented('websocketmissingerror', {
        details:
          "Install the package ws and pass it: import { WebSocket } from 'ws'; new ServiceClient(config, { WebSocket }).",
      }),
    )
  }
}
