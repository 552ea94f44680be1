import {
  type AuthenticatedMessage,
  type AuthMessage,
  type ClientMessage,
  encodeJson,
  type SerializedSignedQuote,
  type ServerMessage,
} from '@firmquote/core'
import type { Clock } from '../clock.ts'
import { AuthenticationError, ConnectionError, InvalidResponseError } from '../errors.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { serverMessageShape } from '../wire/serverMessageShape.ts'
import { answerChallenge, type ChallengeRules } from './answerChallenge.ts'
import type { WebSocketConstructor } from './webSocketLike.ts'

/** How one line is dialled, proven and watched. Times in milliseconds. */
export type BackerLineConfig = ChallengeRules & {
  WebSocket: WebSocketConstructor
  clock: Clock
  /** From dialling to being authenticated. */
  connectTimeoutMs: number
  /** Between two pings. */
  pingIntervalMs: number
  /** How long anything may take to come back after a ping. */
  pongTimeoutMs: number
}

/** What comes out of an authenticated line. */
export type BackerLineMessage = Exclude<ServerMessage, { type: 'auth_challenge' | 'authenticated' | 'auth_failed' }>

/** What goes into a line: a client message, in which a quote may be in its wire form already. */
export type OutgoingMessage =
  | AuthMessage
  | ClientMessage
  | (Omit<Extract<ClientMessage, { type: 'quote' }>, 'quote'> & { quote: SerializedSignedQuote })

/** How a line has ended. */
export type LineEnd = {
  /** The WebSocket close code; 1006 when there was none. */
  code: number
  reason: string
  /** Set when the two sides did not trust each other. */
  distrust: AuthenticationError | null
}

/** Whom a line tells what. `onEnd` comes exactly once, nothing comes after it. */
export type BackerLineListener = {
  onOpen(): void
  onAuthenticated(message: AuthenticatedMessage): void
  onMessage(message: BackerLineMessage): void
  onError(error: Error): void
  /** The line has outlived a ping. */
  onProven(): void
  onEnd(end: LineEnd): void
}

/** One socket to `/ws/rfq`, from dialling to its end. It never comes back: that is its owner's business. */
export type BackerLine = {
  readonly isOpen: boolean
  readonly isAuthenticated: boolean
  /** @returns whether it was handed to the socket; false is certain not to have been sent. */
  send(message: OutgoingMessage): boolean
  /** Ends the line now; `onEnd` is called before this returns. */
  end(code: number, reason: string): void
}

type Phase = 'dialling' | 'open' | 'signing' | 'answered' | 'authenticated' | 'ended'

/** Dials. The answer to the challenge is signed at most once for each socket. */
export function dialBackerLine(config: BackerLineConfig, listener: BackerLineListener): BackerLine {
  const { clock, url } = config
  let phase = 'dialling' as Phase
  let distrust: AuthenticationError | null = null
  let heard = false
  let cancelTimer = clock.after(config.connectTimeoutMs, () => end(1006, 'not authenticated in time'))

  const socket = new config.WebSocket(url)
  socket.addEventListener('open', () => {
    if (phase !== 'dialling') return
    phase = 'open'
    listener.onOpen()
  })
  socket.addEventListener('error', ({ error }) => {
    if (phase === 'ended') return
    const sent = phase === 'dialling' ? 'no' : 'maybe'
    listener.onError(new ConnectionError(`The line to ${url} failed.`, { sent, cause: error }))
  })
  socket.addEventListener('close', ({ code, reason }) => end(code, reason))
  socket.addEventListener('message', ({ data }) => {
    if (phase === 'ended') return
    heard = true
    const message = readMessage(data)
    if (message) receive(message)
  })

  const hasEnded = () => phase === 'ended'

  function end(code: number, reason: string): void {
    if (phase === 'ended') return
    phase = 'ended'
    cancelTimer()
    closeQuietly(code)
    listener.onEnd({ code, reason, distrust })
  }

  /** Late events of a socket that is given up find `phase` ended, so nothing more is heard of it. */
  function closeQuietly(code: number): void {
    try {
      if ('terminate' in socket && typeof socket.terminate === 'function' && code === 1006) socket.terminate()
      else socket.close(code === 1000 || code >= 3000 ? code : undefined)
    } catch {
      // It has closed by itself.
    }
  }

  function readMessage(data: unknown): ServerMessage | null {
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
        else listener.onError(new InvalidResponseError('The service sent a second challenge; nothing was signed.'))
        return
      case 'authenticated':
        if (phase !== 'answered') return
        phase = 'authenticated'
        cancelTimer()
        watch()
        listener.onAuthenticated(message)
        return
      case 'auth_failed':
        distrust = new AuthenticationError(message.code, message.message)
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
      distrust =
        error instanceof AuthenticationError
          ? error
          : new AuthenticationError('signing_failed', 'The challenge could not be signed.', { cause: error })
      return end(1000, distrust.reason)
    }
    // A wallet may take its time, and the line may have ended meanwhile.
    if (hasEnded()) return
    phase = 'answered'
    send(reply)
  }

  function watch(): void {
    cancelTimer = clock.after(config.pingIntervalMs, () => {
      heard = false
      send({ type: 'ping' })
      cancelTimer = clock.after(config.pongTimeoutMs, () => {
        if (!heard) return end(1006, 'no pong')
        listener.onProven()
        watch()
      })
    })
  }

  function send(message: OutgoingMessage): boolean {
    if (phase === 'ended' || phase === 'dialling' || socket.readyState !== 1) return false
    try {
      socket.send(encodeJson(message))
      return true
    } catch {
      return false
    }
  }
  return {
    get isOpen() {
      return phase !== 'dialling' && phase !== 'ended'
    },
    get isAuthenticated() {
      return phase === 'authenticated'
    },
    send,
    end,
  }
}
