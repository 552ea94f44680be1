import { BaseError, type BaseErrorOptions, type Code, type RfqId } from '@firmquote/core'

/** Whether a request may have reached the other side: `no` is certain, so trying again cannot do a thing twice. */
export type Delivery = 'no' | 'maybe'

/** What is known of the exchange that failed. */
export type ClientErrorOptions = BaseErrorOptions & {
  status?: number | undefined
  requestId?: string | undefined
}

/** The root of everything that goes wrong between a client and a service. */
export class ClientError extends BaseError {
  override name = 'ClientError'
  /** The HTTP status, if there was an HTTP answer. */
  readonly status: number | undefined
  /** The service's id of the request, for its operator. */
  readonly requestId: string | undefined

  constructor(code: string, message: string, options: ClientErrorOptions = {}) {
    super(code, message, options)
    this.status = options.status
    this.requestId = options.requestId
  }
}

/** One of the service's codes; a newer service may have more. */
export type ServiceErrorCode = Code | (string & Record<never, never>)

/** The service has refused, and says why (RFC 9457). */
export class ServiceError extends ClientError {
  override name = 'ServiceError'
  declare readonly code: ServiceErrorCode
  /** Where in the request the mistakes are. */
  readonly issues: readonly { path: string; message: string }[]
  /** The facts behind the refusal, as they travelled: amounts are decimal strings. */
  readonly facts: Readonly<Record<string, unknown>>
  /** How long the service asks to wait before another try, in milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(
    code: ServiceErrorCode,
    message: string,
    options: ClientErrorOptions & {
      issues?: readonly { path: string; message: string }[] | undefined
      facts?: Record<string, unknown> | undefined
      retryAfterMs?: number | undefined
    } = {},
  ) {
    super(code, message, options)
    this.issues = options.issues ?? []
    this.facts = options.facts ?? {}
    this.retryAfterMs = options.retryAfterMs
  }
}

/** The line to the other side broke or never came to be. Code `CONNECTION_FAILED`. */
export class ConnectionError extends ClientError {
  override name = 'ConnectionError'
  readonly sent: Delivery
  /** The WebSocket close code, if there was one. */
  readonly closeCode: number | undefined

  constructor(message: string, options: ClientErrorOptions & { sent: Delivery; closeCode?: number | undefined }) {
    super('CONNECTION_FAILED', message, options)
    this.sent = options.sent
    this.closeCode = options.closeCode
  }
}

/** No answer in time. Code `TIMEOUT`. */
export class TimeoutError extends ClientError {
  override name = 'TimeoutError'
  readonly sent: Delivery
  readonly timeoutMs: number

  constructor(message: string, options: ClientErrorOptions & { sent: Delivery; timeoutMs: number }) {
    super('TIMEOUT', message, options)
    this.sent = options.sent
    this.timeoutMs = options.timeoutMs
  }
}

/** The caller's `AbortSignal` ended the call; `cause` is the signal's reason. Code `ABORTED`, name `AbortError`. */
export class AbortedError extends ClientError {
  // The name that code written for the platform's own abort errors looks for.
  override name = 'AbortError'
  readonly sent: Delivery

  constructor(options: ClientErrorOptions & { sent: Delivery }) {
    super('ABORTED', 'The call was aborted.', options)
    this.sent = options.sent
  }
}

/** The other side answered with something that this client cannot read. Code `INVALID_RESPONSE`. */
export class InvalidResponseError extends ClientError {
  override name = 'InvalidResponseError'

  constructor(message: string, options: ClientErrorOptions = {}) {
    super('INVALID_RESPONSE', message, options)
  }
}

/**
 * A stream of quotes ended before its auction was done: `code` is the service's own when it said why, else
 * `STREAM_INTERRUPTED`. With an `rfqId`, `getRfq(rfqId)` still gets the result.
 */
export class StreamError extends ClientError {
  override name = 'StreamError'
  /** The auction, or null when the stream ended before it was named. */
  readonly rfqId: RfqId | null

  constructor(code: string, message: string, options: ClientErrorOptions & { rfqId: RfqId | null }) {
    super(code, message, options)
    this.rfqId = options.rfqId
  }
}

/** The service does not let this backer in, or this client does not trust the service. Code `AUTH_FAILED`. */
export class AuthenticationError extends ClientError {
  override name = 'AuthenticationError'
  /** Stable: the service's reason (`bad_signature`, `not_allowed`, …) or this client's (`audience_mismatch`, …). */
  readonly reason: string

  constructor(reason: string, message: string, options: ClientErrorOptions = {}) {
    super('AUTH_FAILED', message, options)
    this.reason = reason
  }
}

/** Why a signer did not sign. */
export type SignerErrorCode =
  | 'SIGNER_MISSING'
  | 'INVALID_PRIVATE_KEY'
  | 'MAKER_MISMATCH'
  | 'INVALID_CHALLENGE'
  | 'TIMESTAMP_OUT_OF_WINDOW'
  | 'SIGNING_FAILED'

/** Nothing was signed. No message and no property of it ever holds a key or a signature. */
export class SignerError extends BaseError {
  override name = 'SignerError'
  declare readonly code: SignerErrorCode

  constructor(code: SignerErrorCode, message: string, options: BaseErrorOptions = {}) {
    super(code, message, options)
  }
}

/** This runtime has no `WebSocket` and none was passed. Code `WEBSOCKET_MISSING`. */
export class WebSocketMissingError extends BaseError {
  override name = 'WebSocketMissingError'

  constructor() {
    super('WEBSOCKET_MISSING', 'This runtime has no WebSocket of its own (Node has one since version 22).', {
      details:
        "Install the package ws and pass it: import { WebSocket } from 'ws'; new ServiceClient(config, { WebSocket }).",
    })
  }
}
