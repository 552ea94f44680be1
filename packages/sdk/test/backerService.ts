import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { formatChallenge, hashBackerAuth, parseChallenge, recoverSigner } from '@firmquote/core'
import { type WebSocket, WebSocketServer } from 'ws'
import { bytes, quoteMarket } from './samples.ts'

/** One socket, seen from the service. */
export type ServiceSocket = {
  socket: WebSocket
  send(message: object | string): void
  /** The next message of this type. Messages that come earlier and are of other types are kept. */
  next<T extends Record<string, unknown>>(type: string): Promise<T>
  received: Record<string, unknown>[]
}

export type BackerService = {
  url: string
  /** The next socket that comes in; its challenge has been sent. */
  accept(): Promise<ServiceSocket>
  /** The next socket, let in when its signature is right. */
  letIn(openRfqs?: object[], more?: { statusSeq?: number; traces?: boolean }): Promise<ServiceSocket>
  sockets: ServiceSocket[]
  close(): Promise<void>
}

/** A server for `/ws/rfq` on a free port that sends real challenges and verifies the answers; the test sends the rest. */
export async function startBackerService({
  serverTime = () => 1_767_225_600_000,
  challenge: change = {},
  audience,
}: {
  serverTime?: () => number
  challenge?: object
  audience?: string
} = {}): Promise<BackerService> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/ws/rfq', perMessageDeflate: false })
  await once(server, 'listening')
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/rfq`
  const sockets: ServiceSocket[] = []
  const fresh: ServiceSocket[] = []
  const waiting: ((socket: ServiceSocket) => void)[] = []
  let count = 0

  server.on('connection', (socket) => {
    const wrapped = wrap(socket)
    sockets.push(wrapped)
    count += 1
    const nonce = bytes(count.toString(16).slice(-1))
    wrapped.send({
      type: 'auth_challenge',
      challenge: formatChallenge({ audience: audience ?? url, nonce }),
      chainId: 8453,
      quoteMarket,
      serverTime: serverTime(),
      expiresAt: serverTime() + 30_000,
      ...change,
    })
    const waiter = waiting.shift()
    if (waiter) waiter(wrapped)
    else fresh.push(wrapped)
  })

  async function accept(): Promise<ServiceSocket> {
    const ready = fresh.shift()
    return ready ?? new Promise((resolve) => waiting.push(resolve))
  }

  return {
    url,
    sockets,
    accept,
    async letIn(openRfqs = [], more = {}) {
      const socket = await accept()
      const index = sockets.indexOf(socket) + 1
      const { address, timestamp, signature } = await socket.next<{
        address: `0x${string}`
        timestamp: number
        signature: `0x${string}`
      }>('auth')
      const parsed = parseChallenge(
        formatChallenge({ audience: audience ?? url, nonce: bytes(index.toString(16).slice(-1)) }),
      )
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

function wrap(socket: WebSocket): ServiceSocket {
  const received: Record<string, unknown>[] = []
  const inbox: Record<string, unknown>[] = []
  const waiting: { type: string; resolve: (message: never) => void }[] = []
  socket.on('error', () => {})
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    received.push(message)
    const index = waiting.findIndex(({ type }) => type === message.type)
    if (index === -1) inbox.push(message)
    else waiting.splice(index, 1)[0]?.resolve(message as never)
  })
  return {
    socket,
    received,
    send: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next(type) {
      const index = inbox.findIndex((message) => message['type'] === type)
      if (index !== -1) return Promise.resolve(inbox.splice(index, 1)[0] as never)
      return new Promise((resolve) => waiting.push({ type, resolve }))
    },
  }
}
