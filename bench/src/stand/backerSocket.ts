import { randomBytes } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import { backerAuthTypedData, parseChallenge } from '@firmquote/core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** What an authenticated backer receives. */
export type BackerEvents = {
  /** An RFQ; its text is decoded on demand. */
  onRfq(text: () => string): void
  onAck(ack: { status: string; code?: string }): void
  onGone(reason: string): void
}

const rfqStart = Buffer.from('{"type":"rfq"')
const ackStart = Buffer.from('{"type":"quote_ack"')

/** Connects and authenticates a backer on a plain socket, as cheap as Node can: it shares the cores with what it measures. */
export function connectBacker(wsUrl: string, key: Hex, events: BackerEvents): Promise<Socket> {
  const { host, port, pathname } = new URL(wsUrl)
  const account = privateKeyToAccount(key)
  const socket = createConnection({ host: '127.0.0.1', port: Number(port), noDelay: true })
  return new Promise((resolve, reject) => {
    const gone = (reason: string) => {
      reject(new TypeError(reason))
      events.onGone(reason)
    }
    const authenticate = async (message: {
      challenge: string
      chainId: number
      quoteMarket: Hex
      serverTime: number
    }) => {
      const parsed = parseChallenge(message.challenge)
      if (!parsed) return gone('The challenge could not be parsed.')
      const { chainId, quoteMarket } = message
      const timestamp = Math.floor(message.serverTime / 1_000)
      const typedData = backerAuthTypedData({ ...parsed, chainId, quoteMarket, backer: account.address, timestamp })
      const signature = await account.signTypedData(typedData)
      socket.write(textFrame(JSON.stringify({ type: 'auth', address: account.address, timestamp, signature })))
    }
    const onMessage = (payload: Buffer) => {
      if (startsWith(payload, rfqStart)) return events.onRfq(() => payload.toString())
      const message = JSON.parse(payload.toString())
      if (startsWith(payload, ackStart)) events.onAck(message)
      else if (message.type === 'auth_challenge') void authenticate(message)
      else if (message.type === 'authenticated') resolve(socket)
      else if (message.type !== 'auction_result') gone(payload.toString())
    }
    const decodeFrames = createFrameDecoder((opcode, payload) => {
      if (opcode === 1) onMessage(payload)
      else if (opcode === 8) gone(`The server closed a socket: ${payload.subarray(2)}.`)
      else if (opcode === 9) socket.write(clientFrame(10, payload))
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

/** A text frame as a client sends it: whole, and masked as RFC 6455 demands (section 5.3). */
export const textFrame = (payload: string): Buffer => clientFrame(1, Buffer.from(payload))

function clientFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  if (length > 0xffff) throw new TypeError('The frame is too long.')
  const mask = randomBytes(4)
  const head = length < 126 ? Buffer.from([0x80 | opcode, 0x80 | length]) : Buffer.alloc(4)
  if (length >= 126) {
    head.set([0x80 | opcode, 0x80 | 126])
    head.writeUInt16BE(length, 2)
  }
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index & 3] as number))])
}

/** Decodes the frames of a server: never masked, never in pieces. */
function createFrameDecoder(onFrame: (opcode: number, payload: Buffer) => void) {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk: Buffer): void => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    while (bytes.length - at >= 2) {
      const short = (bytes[at + 1] as number) & 0x7f
      const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10)
      if (bytes.length < start) break
      const length =
        short < 126 ? short : short === 126 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2))
      if (bytes.length < start + length) break
      onFrame((bytes[at] as number) & 0x0f, bytes.subarray(start, start + length))
      at = start + length
    }
    rest = bytes.subarray(at)
  }
}

function startsWith(payload: Buffer, start: Buffer): boolean {
  return payload.length > start.length && payload.compare(start, 0, start.length, 0, start.length) === 0
}
