import assert from 'node:assert/strict'
import type { ServerMessage } from '@firmquote/core'
import { type BackerAuth, backerAuthTypedData, parseChallenge } from '@firmquote/core/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type ClientOptions, WebSocket } from 'ws'

/** Opens a socket and queues its messages. */
export function openSocket(url: string, options: ClientOptions = {}) {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options })
  const messages: ServerMessage[] = []
  let wake = () => {}
  let isClosed = false
  socket.on('error', () => {})
  socket.on('message', (data) => {
    messages.push(JSON.parse(String(data)) as ServerMessage)
    wake()
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => {
      isClosed = true
      wake()
      resolve({ code, reason: String(reason) })
    })
  })
  return {
    socket,
    /** Resolves when the socket is closed. */
    closed,
    /** Returns the next message of this type. Earlier messages of other types are dropped. */
    async next<T extends ServerMessage['type']>(type: T) {
      for (;;) {
        for (let message = messages.shift(); message; message = messages.shift()) {
          if (message.type === type) return message as Extract<ServerMessage, { type: T }>
        }
        if (isClosed) assert.fail(`the socket closed before a message of type ${type} came`)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    /** Sends an object as JSON; sends text or bytes unchanged. */
    send(message: object | string | Buffer) {
      socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message))
    },
    /** Closes the socket and waits until it is closed. */
    async end() {
      socket.close()
      await closed
    },
  }
}

/** Signs a response to a challenge, with `changes` applied. */
export async function answerChallenge(
  challenge: Extract<ServerMessage, { type: 'auth_challenge' }>,
  account: PrivateKeyAccount,
  { address, ...changes }: Partial<BackerAuth> & { address?: BackerAuth['backer'] } = {},
) {
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
