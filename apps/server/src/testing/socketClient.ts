import assert from 'node:assert/strict'
import type { BackerAuth, ServerMessage } from '@firmquote/core'
import { backerAuthTypedData, parseChallenge } from '@firmquote/core'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type ClientOptions, WebSocket } from 'ws'

/** A socket that a test drives by hand. */
export type SocketClient = {
  socket: WebSocket
  /** The next message of this type, or of any; messages of other types are dropped. */
  next<T extends ServerMessage['type']>(type: T): Promise<Extract<ServerMessage, { type: T }>>
  /** Sends JSON, or text and bytes as they are. */
  send(message: object | string | Buffer): void
  /** How it ended. */
  closed: Promise<{ code: number; reason: string }>
  /** Ends it and waits until it is gone. */
  end(): Promise<void>
}

/** Opens a socket and collects what comes. */
export function openSocket(url: string, options: ClientOptions = {}): SocketClient {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options })
  const inbox: ServerMessage[] = []
  let wake = () => {}
  let gone = false
  socket.on('error', () => {})
  socket.on('message', (data) => {
    inbox.push(JSON.parse(String(data)) as ServerMessage)
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      gone = true
      wake()
      resolve({ code, reason: String(reason) })
    })
  })
  return {
    socket,
    closed,
    async next<T extends ServerMessage['type']>(type: T) {
      for (;;) {
        for (let message = inbox.shift(); message; message = inbox.shift()) {
          if (message.type === type) return message as Extract<ServerMessage, { type: T }>
        }
        if (gone) assert.fail(`the socket closed before a message of type ${type} came`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    send(message) {
      socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
    },
    async end() {
      socket.close()
      await closed
    },
  }
}

/** What a test changes in an honest answer to a challenge. */
export type AnswerChanges = Partial<BackerAuth> & { address?: BackerAuth['backer'] }

/** Signs a challenge's answer, honestly but for the changes. */
export async function answerChallenge(
  challenge: Extract<ServerMessage, { type: 'auth_challenge' }>,
  account: PrivateKeyAccount,
  { address, ...changes }: AnswerChanges = {},
): Promise<{ type: 'auth'; address: string; timestamp: number; signature: string }> {
  const parsed = parseChallenge(challenge.challenge)
  assert(parsed, `not a challenge: ${challenge.challenge}`)
  const auth: BackerAuth = {
    ...parsed,
    backer: account.address,
    chainId: challenge.chainId,
    quoteMarket: challenge.quoteMarket,
    timestamp: Math.floor(Date.now() / 1_000),
    ...changes,
  }
  const signature = await account.signTypedData(backerAuthTypedData(auth))
  return { type: 'auth', address: address ?? account.address, timestamp: auth.timestamp, signature }
}

/** Opens a socket and authenticates. */
export async function connectBacker(url: string, account: PrivateKeyAccount, options: ClientOptions = {}) {
  const client = openSocket(url, options)
  const challenge = await client.next('auth_challenge')
  client.send(await answerChallenge(challenge, account))
  const session = await client.next('authenticated')
  return { ...client, session }
}
