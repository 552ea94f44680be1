import type {
  AuthenticatedMessage,
  AuthMessage,
  ClientMessage,
  SerializedSignedQuote,
  ServerMessage,
} from '@firmquote/core'
import { type Clock, encodeJson } from '@firmquote/core/utils'
import { AuthenticationError, ConnectionError, InvalidResponseError } from '../errors.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { serverMessageShape } from '../wire/serverMessageShape.ts'
import { answerChallenge, type ChallengeRules } from './answerChallenge.ts'
import type { WebSocketConstructor } from './webSocketLike.ts'

/** The parameters of one connection. Times are in milliseconds. */
export type BackerConnectionConfig = ChallengeRules & {
  WebSocket: WebSocketConstructor
  clock: Clock
  /** Timeout from opening the socket to authentication. */
  connectTimeoutMs: number
  /** Interval between pings. */
  pingIntervalMs: number
  /** How long to wait for any message after a ping. */
  pongTimeoutMs: number
  /** Whether to request traces from the service. */
  traces: boolean
  /** Whether to request receipts from the service. */
  receipts: boolean
}

/** Messages on an authenticated connection. */
export type BackerConnectionMessage = Exclude<
  ServerMessage,
  { type: 'auth_challenge' | 'authenticated' | 'auth_failed' }
>

/** An outgoing client message. Its quote may already be in wire form. */
export type OutgoingMessage =
  | AuthMessage
  | ClientMessage
  | (Omit<Extract<ClientMessage, { type: 'quote' }>, 'quote'> & { quote: SerializedSignedQuote })

/** How a connection ended. */
export type ConnectionEnd = {
  /** The WebSocket close code, or 1006 if there was none. */
  code: number
  reason: string
  /** Set if authentication failed on either side. */
  authError: AuthenticationError | null
}

/** A connection's callbacks. `onEnd` is called exactly once, after all other callbacks. */
export type BackerConnectionListener = {
  onOpen(): void
  onAuthenticated(message: AuthenticatedMessage): void
  onMessage(message: BackerConnectionMessage): void
  onError(error: Error): void
  /** Called when a message has arrived since the last ping. */
  onHealthy(): void
  onEnd(end: ConnectionEnd): void
}

/** A single socket to `/ws/rfq`. Does not reconnect. */
export type BackerConnection = {
  readonly isOpen: boolean
  readonly isAuthenticated: boolean
  /** Whether the service accepts a `traceparent` with a quote. */
  readonly takesTraceparent: boolean
  /** @returns Whether the message was passed to the socket. If false, it was definitely not sent. */
  send(message: OutgoingMessage): boolean
  /** Ends the connection. `onEnd` is called before this function returns. */
  end(code: number, reason: string): void
}

type Phase = 'opening' | 'open' | 'signing' | 'answered' | 'authenticated' | 'ended'

/** Opens a socket. Signs at most one challenge. */
export function openBackerConnection(
  config: BackerConnectionConfig,
  listener: BackerConnectionListener,
): BackerConnection {
  const { clock, url } = config
  let phase = 'opening' as Phase
  let authError: AuthenticationError | null = null
  let received = false
  let takesTraceparent = false

  // Create the socket first, so that no timer is left running if the constructor throws.
  const query = (['traces', 'receipts'] as const).filter((name) => config[name]).map((name) => `${name}=1`)
  const socket = new config.WebSocket(query.length > 0 ? `${url}?${query.join('&')}` : url)
  let cancelTimer = clock.after(config.connectTimeoutMs, () => end(1006, 'not authenticated in time'))
  socket.addEventListener('open', () => {
    if (phase !== 'opening') return
    phase = 'open'
    listener.onOpen()
  })
  socket.addEventListener('error', ({ error }) => {
    if (phase === 'ended') return
    const sent = phase === 'opening' ? 'no' : 'maybe'
    listener.onError(new ConnectionError(`The connection to ${url} failed.`, { sent, cause: error }))
  })
  socket.addEventListener('close', ({ code, reason }) => end(code, reason))
  socket.addEventListener('message', ({ data }) => {
    if (phase === 'ended') return
    received = true
    const message = decodeMessage(data)
    if (message) receive(message)
  })

  const hasEnded = () => phase === 'ended'

  function end(code: number, reason: string): void {
    if (phase === 'ended') return
    phase = 'ended'
    cancelTimer()
    closeQuietly(code)
    listener.onEnd({ code, reason, authError })
  }

  /** Closes the socket. `phase` is already `ended`, so the socket's later events are ignored. */
  function closeQuietly(code: number): void {
    try {
      if ('terminate' in socket && typeof socket.terminate === 'function' && code === 1006) socket.terminate()
      else socket.close(code === 1000 || code >= 3000 ? code : undefined)
    } catch {
      // The socket is already closed.
    }
  }

  function decodeMessage(data: unknown): ServerMessage | null {
    const what = "The service's message"
    try {
      return decodeAnswer(serverMessageShape, parseAnswer(String(data), what), what)
    } catch (error) {
      listener.onError(error as InvalidResponseError)
      return null
    }
  }

  function receive(message: ServerMessage): void {
    switch (message.type) {
      case 'auth_challenge':
        if (phase === 'open') void answer(message)
        else listener.onError(new InvalidResponseError('The service sent a second challenge. Nothing was signed.'))
        return
      case 'authenticated':
        if (phase !== 'answered') return
        phase = 'authenticated'
        takesTraceparent = config.traces && message.traces === true
        cancelTimer()
        watch()
        listener.onAuthenticated(message)
        return
      case 'auth_failed':
        authError = new AuthenticationError(message.code, message.message)
        return
      default:
        if (phase === 'authenticated') listener.onMessage(message)
    }
  }

  async function answer(challenge: Extract<ServerMessage, { type: 'auth_challenge' }>): Promise<void> {
    phase = 'signing'
    let reply: AuthMessage
    try {
      reply = await answerChallenge(challenge, config)
    } catch (error) {
      authError =
        error instanceof AuthenticationError
          ? error
          : new AuthenticationError('signing_failed', 'Failed to sign the challenge.', { cause: error })
      return end(1000, authError.reason)
    }
    // The connection may have ended while the wallet was signing.
    if (hasEnded()) return
    phase = 'answered'
    send(reply)
  }

  function watch(): void {
    cancelTimer = clock.after(config.pingIntervalMs, () => {
      received = false
      send({ type: 'ping' })
      cancelTimer = clock.after(config.pongTimeoutMs, () => {
        if (!received) return end(1006, 'no pong')
        listener.onHealthy()
        watch()
      })
    })
  }

  function send(message: OutgoingMessage): boolean {
    if (phase === 'ended' || phase === 'opening' || socket.readyState !== 1) return false
    try {
      socket.send(encodeJson(message))
      return true
    } catch {
      return false
    }
  }
  return {
    get isOpen() {
      return phase !== 'opening' && phase !== 'ended'
    },
    get isAuthenticated() {
      // A closing socket can no longer send, but has not emitted `close` yet.
      return phase === 'authenticated' && socket.readyState === 1
    },
    get takesTraceparent() {
      return takesTraceparent
    },
    send,
    end,
  }
}
