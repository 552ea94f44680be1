import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { formatChallenge, hashBackerAuth, parseChallenge, recoverSigner } from '@firmquote/core/protocol'
import type { Hex } from 'viem'
import { type WebSocket, WebSocketServer } from 'ws'
import { bytes, quoteMarket } from './samples.ts'

/** The service's side of a socket. */
export type ServiceSocket = ReturnType<typeof wrap>

export type BackerService = Awaited<ReturnType<typeof startBackerService>>

/**
 * Starts a `/ws/rfq` server on a free port. The server sends real challenges and verifies the responses. The test sends
 * everything else.
 */
export async function startBackerService({
  serverTime = () => 1_767_225_600_000,
  challenge: change = {},
  audience,
}: {
  serverTime?: () => number
  challenge?: object
  audience?: string
} = {}) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/ws/rfq', perMessageDeflate: false })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/rfq`
  const sockets: ServiceSocket[] = []
  let accepted = 0
  const challengeOf = (index: number) =>
    formatChallenge({ audience: audience ?? url, nonce: bytes(((index + 1) % 16).toString(16)) })

  server.on('connection', (socket) => {
    const wrapped = wrap(socket)
    wrapped.send({
      ...{ type: 'auth_challenge', challenge: challengeOf(sockets.length), chainId: 8453, quoteMarket },
      ...{ serverTime: serverTime(), expiresAt: serverTime() + 30_000 },
      ...change,
    })
    sockets.push(wrapped)
    server.emit('accepted')
  })

  /** Returns the next incoming socket, after its challenge has been sent. */
  async function accept(): Promise<ServiceSocket> {
    const index = accepted++
    while (sockets.length <= index) await once(server, 'accepted')
    return sockets[index] as ServiceSocket
  }

  return {
    url,
    sockets,
    accept,
    /** Returns the next incoming socket, which is authenticated if its signature is valid. */
    async letIn(openRfqs: object[] = [], more: { statusSeq?: number; traces?: boolean } = {}) {
      const socket = await accept()
      const { address, timestamp, signature } = await socket.next<{ address: Hex; timestamp: number; signature: Hex }>(
        'auth',
      )
      const parsed = parseChallenge(challengeOf(sockets.indexOf(socket)))
      if (parsed === null) throw new TypeError('the test made no proper challenge')
      const digest = hashBackerAuth({ ...parsed, backer: address, chainId: 8453, quoteMarket, timestamp })
      const { signer } = await recoverSigner(digest, signature)
      if (signer !== address) throw new TypeError('the answer to the challenge is not signed by its address')
      const expiresAt = serverTime() + 86_400_000
      socket.send({ type: 'authenticated', address, sessionId: 's', expiresAt, openRfqs, ...more })
      return socket
    },
    async close() {
      for (const { socket } of sockets) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function wrap(socket: WebSocket) {
  const received: Record<string, unknown>[] = []
  const taken = new Set<object>()
  socket.on('error', () => {})
  socket.on('message', (data) => received.push(JSON.parse(String(data))))
  return {
    socket,
    received,
    send: (message: object | string) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    /** Returns the next message of this type. Messages of other types that arrive earlier are kept. */
    async next<T extends Record<string, unknown>>(type: string): Promise<T> {
      for (;;) {
        const message = received.find((one) => one['type'] === type && !taken.has(one))
        if (message) {
          taken.add(message)
          return message as never
        }
        await once(socket, 'message')
      }
    },
  }
}
