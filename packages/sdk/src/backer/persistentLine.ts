import { AbortedError, AuthenticationError, ConnectionError, SignerError } from '../errors.ts'
import { requireSafeLine } from './answerChallenge.ts'
import { type BackerLine, type BackerLineListener, dialBackerLine, type LineEnd } from './backerLine.ts'
import { judgeLineEnd } from './reconnectPolicy.ts'
import type { ResolvedChannel } from './rfqWebSocketConfig.ts'

/** `retry`: keep trying until the service lets this backer in, instead of failing with the first line. */
export type ConnectOptions = { signal?: AbortSignal | undefined; retry?: boolean | undefined }

/** How a line has ended, and what comes next. */
export type RFQWebSocketClose = {
  /** The WebSocket close code; 1006 when the other side gave none. */
  code: number
  reason: string
  /** Milliseconds until the next try, or null when the client does not try again. */
  retryInMs: number | null
}

/** Whom a persistent line tells what. */
export type PersistentLineListener = Pick<
  BackerLineListener,
  'onOpen' | 'onAuthenticated' | 'onMessage' | 'onError'
> & {
  onAuthFailed(error: AuthenticationError): void
  onLost(close: RFQWebSocketClose): void
}

type Connecting = { promise: Promise<void>; resolve(): void; reject(error: Error): void; retry: boolean }

/** One line after another to the same service, until it is stopped or there is no point in another. */
export class PersistentLine {
  readonly #channel: ResolvedChannel
  readonly #listener: PersistentLineListener
  #line: BackerLine | null = null
  #connecting: Connecting | null = null
  #cancelRetry: (() => void) | null = null
  #failures = 0
  #established = false
  #stopped = false

  constructor(channel: ResolvedChannel, listener: PersistentLineListener) {
    this.#channel = channel
    this.#listener = listener
  }

  /** The line that is there now, authenticated or not. */
  get line(): BackerLine | null {
    return this.#line
  }

  async connect({ signal, retry = false }: ConnectOptions): Promise<void> {
    if (this.#stopped) {
      throw new ConnectionError('This client has stopped for good; make a new one.', { sent: 'no' })
    }
    if (this.#line?.isAuthenticated) return
    if (signal?.aborted) throw new AbortedError({ sent: 'no', cause: signal.reason })
    if (this.#channel.signer.getAddress() === null) {
      throw new SignerError('SIGNER_MISSING', 'There is no signer: call setPrivateKey or setAccount first.')
    }
    const onAbort = () => this.stop(new AbortedError({ sent: 'maybe', cause: signal?.reason }))
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      this.#connecting ??= createConnecting(retry)
      const { promise } = this.#connecting
      if (this.#line === null && this.#cancelRetry === null) this.#dial()
      await promise
    } finally {
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Ends the line and every hope of another; whoever waits in `connect` gets the error. */
  stop(error: Error): void {
    this.#stopped = true
    this.#cancelRetry?.()
    this.#cancelRetry = null
    this.#settle((connecting) => connecting.reject(error))
    this.#line?.end(1000, 'disconnected')
  }

  #dial(): void {
    try {
      requireSafeLine(this.#channel.url)
      this.#line = dialBackerLine(this.#channel, {
        ...this.#listener,
        onAuthenticated: (message) => {
          this.#established = true
          this.#listener.onAuthenticated(message)
          this.#settle((connecting) => connecting.resolve())
        },
        onProven: () => {
          this.#failures = 0
        },
        onEnd: (end) => this.#onEnd(end),
      })
    } catch (error) {
      const distrust = error instanceof AuthenticationError ? error : null
      this.#stopped = true
      if (distrust) this.#listener.onAuthFailed(distrust)
      const cannotDial = () => new ConnectionError('The socket could not be opened.', { sent: 'no', cause: error })
      this.#settle((connecting) => connecting.reject(distrust ?? cannotDial()))
    }
  }

  #onEnd(end: LineEnd): void {
    const { code, reason } = end
    const { distrust, isFinal, delayMs } = judgeLineEnd(end, this.#failures++, this.#channel.random())
    this.#line = null
    this.#stopped ||= isFinal
    if (distrust) this.#listener.onAuthFailed(distrust)
    const comesBack = !this.#stopped && (this.#established || this.#connecting?.retry === true)
    if (comesBack) {
      this.#cancelRetry = this.#channel.clock.after(delayMs, () => {
        this.#cancelRetry = null
        this.#dial()
      })
    } else {
      const message = `The line to ${this.#channel.url} ended (${code}${reason && `, ${reason}`}) before it was authenticated.`
      const lost = () => new ConnectionError(message, { sent: 'no', closeCode: code, cause: distrust ?? undefined })
      this.#settle((connecting) => connecting.reject(isFinal && distrust ? distrust : lost()))
    }
    this.#listener.onLost({ code, reason, retryInMs: comesBack ? delayMs : null })
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
