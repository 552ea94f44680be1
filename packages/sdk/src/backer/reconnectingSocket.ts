import { AbortedError, AuthenticationError, ConnectionError, SignerError } from '../errors.ts'
import { requireSafeUrl } from './answerChallenge.ts'
import {
  type BackerConnection,
  type BackerConnectionListener,
  type ConnectionEnd,
  openBackerConnection,
} from './backerConnection.ts'
import { judgeConnectionEnd } from './reconnectPolicy.ts'
import type { ResolvedChannel } from './rfqWebSocketConfig.ts'

/** Options for `connect`. With `retry`, a failed first connection is retried until authentication succeeds. */
export type ConnectOptions = { signal?: AbortSignal | undefined; retry?: boolean | undefined }

/** How a connection ended, and whether the client reconnects. */
export type RFQWebSocketClose = {
  /** The WebSocket close code, or 1006 if there was none. */
  code: number
  reason: string
  /** Milliseconds until the client reconnects, or null if it does not. */
  retryInMs: number | null
}

/** A reconnecting socket's callbacks. */
export type ReconnectingSocketListener = Pick<
  BackerConnectionListener,
  'onOpen' | 'onAuthenticated' | 'onMessage' | 'onError'
> & {
  onAuthFailed(error: AuthenticationError): void
  onLost(close: RFQWebSocketClose): void
  /** Reconnecting has stopped until the next `connect`. */
  onStopped(): void
}

type Connecting = { promise: Promise<void>; resolve(): void; reject(error: Error): void; retry: boolean }

/**
 * Connects to a service and reconnects until `stop` is called or a failure is final. Afterwards, the client stays
 * disconnected until the next `connect`.
 */
export class ReconnectingSocket {
  readonly #channel: ResolvedChannel
  readonly #listener: ReconnectingSocketListener
  #connection: BackerConnection | null = null
  #connecting: Connecting | null = null
  #cancelRetry: (() => void) | null = null
  #failures = 0
  #established = false
  #stopped = false

  constructor(channel: ResolvedChannel, listener: ReconnectingSocketListener) {
    this.#channel = channel
    this.#listener = listener
  }

  /** The current connection, authenticated or not. */
  get connection(): BackerConnection | null {
    return this.#connection
  }

  /** Whether a connection exists or is scheduled. */
  get isTrying(): boolean {
    return !this.#stopped && (this.#connection !== null || this.#cancelRetry !== null)
  }

  async connect({ signal, retry = false }: ConnectOptions): Promise<void> {
    if (this.#connection?.isAuthenticated) return
    if (signal?.aborted) throw new AbortedError({ sent: 'no', cause: signal.reason })
    if (this.#channel.signer.getAddress() === null) {
      throw new SignerError('SIGNER_MISSING', 'No signer is set. Call setPrivateKey or setAccount first.')
    }
    const onAbort = () => this.stop(new AbortedError({ sent: 'maybe', cause: signal?.reason }))
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      this.#connecting ??= createConnecting(retry)
      const { promise } = this.#connecting
      if (this.#stopped) this.#start()
      if (this.#connection === null && this.#cancelRetry === null) this.#open()
      await promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /**
   * Ends the connection and stops reconnecting until the next `connect`. Rejects a pending `connect` with the error.
   */
  stop(error: Error): void {
    this.#stopped = true
    this.#cancelRetry?.()
    this.#cancelRetry = null
    this.#settle((connecting) => connecting.reject(error))
    this.#connection?.end(1000, 'disconnected')
    this.#listener.onStopped()
  }

  /** Resets the state, so that the first failure is final again. */
  #start(): void {
    this.#stopped = false
    this.#established = false
    this.#failures = 0
  }

  #open(): void {
    try {
      requireSafeUrl(this.#channel.url)
      this.#connection = openBackerConnection(this.#channel, {
        ...this.#listener,
        onAuthenticated: (message) => {
          this.#established = true
          this.#listener.onAuthenticated(message)
          this.#settle((connecting) => connecting.resolve())
        },
        onHealthy: () => {
          this.#failures = 0
        },
        onEnd: (end) => this.#onEnd(end),
      })
    } catch (error) {
      const authError = error instanceof AuthenticationError ? error : null
      this.#stopped = true
      if (authError) this.#listener.onAuthFailed(authError)
      const cannotOpen = () => new ConnectionError('Failed to open the socket.', { sent: 'no', cause: error })
      this.#settle((connecting) => connecting.reject(authError ?? cannotOpen()))
      this.#listener.onStopped()
    }
  }

  #onEnd(end: ConnectionEnd): void {
    const { code, reason } = end
    const { authError, isFinal, delayMs } = judgeConnectionEnd(end, {
      attempt: this.#failures++,
      random: this.#channel.random(),
      now: this.#channel.clock.now(),
    })
    this.#connection = null
    this.#stopped ||= isFinal
    if (authError) this.#listener.onAuthFailed(authError)
    const reconnects = !this.#stopped && (this.#established || this.#connecting?.retry === true)
    if (reconnects) {
      this.#cancelRetry = this.#channel.clock.after(delayMs, () => {
        this.#cancelRetry = null
        this.#open()
      })
    } else {
      const message = `The connection to ${this.#channel.url} ended (${code}${reason && `, ${reason}`}) before it was authenticated.`
      const lost = () => new ConnectionError(message, { sent: 'no', closeCode: code, cause: authError ?? undefined })
      this.#settle((connecting) => connecting.reject(isFinal && authError ? authError : lost()))
    }
    this.#listener.onLost({ code, reason, retryInMs: reconnects ? delayMs : null })
    if (!reconnects) this.#listener.onStopped()
  }

  #settle(how: (connecting: Connecting) => void): void {
    const connecting = this.#connecting
    this.#connecting = null
    if (connecting) how(connecting)
  }
}

function createConnecting(retry: boolean): Connecting {
  let resolve = () => {}
  let reject = (_error: Error) => {}
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject, retry }
}
