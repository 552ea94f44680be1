import { randomBytes } from 'node:crypto'
import { createConnection } from 'node:net'
import { backerAuthTypedData, parseChallenge } from '@firmquote/core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createFrameDecoder, pongFrame, textFrame } from './clientFrames.ts'

/** What an authenticated backer receives. */
export type BackerEvents = {
  /** An RFQ; its text is decoded only on demand. */
  onRfq(text: () => string): void
  onAck(ack: { status: string; code?: string }): void
  onGone(reason: string): void
}

/** An authenticated backer on a socket of its own, as cheap as Node can: it shares the cores with what it measures. */
export type RawBacker = { write(frame: Buffer): void; end(): void }

const rfqStart = Buffer.from('{"type":"rfq"')
const ackStart = Buffer.from('{"type":"quote_ack"')

/** Connects and authenticates. */
export function connectBacker(wsUrl: string, key: Hex, events: BackerEvents): Promise<RawBacker> {
  const { host, port, pathname } = new URL(wsUrl)
  const account = privateKeyToAccount(key)
  const socket = createConnection({ host: '127.0.0.1', port: Number(port) })
  socket.setNoDelay(true)
  return new Promise((resolve, reject) => {
    const gone = (reason: string) => {
      reject(new TypeError(reason))
      events.onGone(reason)
    }
    const authenticate = async (message: { challenge: string; chainId: number; quoteMarket: Hex }) => {
      const parsed = parseChallenge(message.challenge)
      if (!parsed) return gone('The challenge could not be parsed.')
      const timestamp = Math.floor(Date.now() / 1_000)
      const { chainId, quoteMarket } = message
      const typedData = backerAuthTypedData({ ...parsed, chainId, quoteMarket, backer: account.address, timestamp })
      const signature = await account.signTypedData(typedData)
      socket.write(textFrame(JSON.stringify({ type: 'auth', address: account.address, timestamp, signature })))
    }
    const onMessage = (payload: Buffer) => {
      if (startsWith(payload, rfqStart)) return events.onRfq(() => payload.toString())
      const message = JSON.parse(payload.toString())
      if (startsWith(payload, ackStart)) events.onAck(message)
      else if (message.type === 'auth_challenge') void authenticate(message)
      else if (message.type === 'authenticated') {
        resolve({ write: (frame) => socket.write(frame), end: () => socket.removeAllListeners().destroy() })
      } else if (message.type !== 'auction_result') gone(payload.toString())
    }
    const decodeFrames = createFrameDecoder((opcode, payload) => {
      if (opcode === 1) onMessage(payload)
      else if (opcode === 8) gone(`The server closed a socket: ${payload.subarray(2)}.`)
      else if (opcode === 9) socket.write(pongFrame(payload))
    })
    let head = ''
    const onHead = (chunk: Buffer) => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!head.startsWith('HTTP/1.1 101 ')) return gone(head)
      socket.off('data', onHead).on('data', decodeFrames)
      decodeFrames(Buffer.from(head.slice(end + 4), 'latin1'))
    }
    socket.on('data', onHead)
    socket.on('error', (error) => gone(error.message))
    socket.on('close', () => gone('A socket closed.'))
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
    )
  })
}

function startsWith(payload: Buffer, start: Buffer): boolean {
  return payload.length > start.length && payload.compare(start, 0, start.length, 0, start.length) === 0
}
