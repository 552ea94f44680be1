import type { Socket } from 'node:net'
import type { ServerMessage } from '@firmquote/core'
import { backerAuthTypedData, parseChallenge } from '@firmquote/core/protocol'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { WebSocket } from 'ws'

/** Callbacks for a backer's incoming messages. */
export type BackerEvents = {
  /** Called with an RFQ's public id and notional. Borrowers distinguish their RFQs by notional. */
  rfq?(rfqId: string, notional: string): void
  /** Called with the verdict on the quote with this id: ACCEPTED or a rejection code. */
  ack?(id: string, verdict: string): void
  /** Called when the server or the network closes the connection. */
  lost?(code: number, reason: string): void
}

/** A backer's authenticated connection. */
export type Backer = AsyncDisposable & { connection: Socket; send(frame: string): void }

/**
 * Connects a backer and answers the challenge.
 *
 * @param audience address that the challenge must contain.
 * @throws {TypeError} if the server rejects the backer.
 */
export async function connectBacker(
  wsUrl: string,
  privateKey: Hex,
  events: BackerEvents = {},
  audience = wsUrl,
): Promise<Backer> {
  const socket = new WebSocket(wsUrl, { perMessageDeflate: false, skipUTF8Validation: true })
  const account = privateKeyToAccount(privateKey)
  let connection: Socket | undefined
  let state: 'joining' | 'in' | 'leaving' = 'joining'
  socket.once('upgrade', (response) => {
    connection = response.socket
  })
  const answerChallenge = async (message: Extract<ServerMessage, { type: 'auth_challenge' }>) => {
    const challenge = parseChallenge(message.challenge)
    if (challenge?.audience !== audience)
      throw new TypeError(`The server's challenge contains the audience ${challenge?.audience} instead of ${audience}.`)
    const { chainId, quoteMarket } = message
    const timestamp = Math.floor(message.serverTime / 1_000)
    const auth = { ...challenge, chainId, quoteMarket, backer: account.address, timestamp }
    const signature = await account.signTypedData(backerAuthTypedData(auth))
    socket.send(JSON.stringify({ type: 'auth', address: account.address, timestamp, signature }))
  }
  await new Promise<void>((resolve, reject) => {
    socket.on('error', (error) => reject(new TypeError(`A backer failed to connect: ${error.message}`)))
    socket.once('close', (code, reason) => {
      if (state === 'in') events.lost?.(code, reason.toString())
      reject(new TypeError(`The server rejected a backer: ${code} ${reason}`))
    })
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('latin1')) as ServerMessage
      switch (message.type) {
        case 'auth_challenge':
          return void answerChallenge(message).catch(reject)
        case 'authenticated':
          state = 'in'
          return resolve()
        case 'rfq':
          return events.rfq?.(message.rfqId, String(message.notional))
        case 'quote_ack':
          return events.ack?.(message.id ?? '', message.status === 'accepted' ? 'ACCEPTED' : message.code)
        case 'error':
          return events.ack?.(message.id ?? '', message.code)
      }
    })
  })
  if (!connection) throw new TypeError('The socket has no connection.')
  return {
    connection,
    send: (frame) => socket.send(frame),
    async [Symbol.asyncDispose]() {
      if (socket.readyState === WebSocket.CLOSED) return
      const closed = new Promise((resolve) => socket.once('close', resolve))
      state = 'leaving'
      socket.close()
      await closed
    },
  }
}
