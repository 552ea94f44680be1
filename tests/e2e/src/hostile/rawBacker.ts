import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { backerAuthTypedData, parseChallenge } from '@firmquote/core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** A connection to the backer socket that answers pings, and does no more than a test tells it. */
export type RawBacker = {
  /** Resolves with the time of `authenticated` by `performance.now()`, or null when the connection ended before. */
  authenticated: Promise<number | null>
  /** Resolves when the connection has ended. */
  ended: Promise<void>
  isOpen(): boolean
  /** Bytes that it has sent. */
  bytesSent(): number
  end(): void
}

/** The address of a server's socket for backers. */
export function socketUrlOf(url: string): string {
  return `${url.replace('http', 'ws')}/ws/rfq`
}

type Challenge = { type: string; challenge: string; chainId: number; quoteMarket: Hex; serverTime: number }

/** Connects from an address of this machine; with a key, answers the challenge. */
export function connectRawBacker(
  url: string,
  { localAddress, privateKey }: { localAddress: string; privateKey?: Hex },
): RawBacker {
  const { hostname, port, pathname } = new URL(url)
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  }
  const upgrade = request({
    host: hostname === 'localhost' ? '127.0.0.1' : hostname,
    port,
    path: pathname,
    headers,
    localAddress,
  })
  let socket: Socket | undefined
  let open = false
  let settle = (_at: number | null) => {}
  const authenticated = new Promise<number | null>((resolve) => {
    settle = resolve
  })
  let settleEnd = () => {}
  const ended = new Promise<void>((resolve) => {
    settleEnd = resolve
  })
  let connected: Socket | undefined
  upgrade.on('socket', (taken) => {
    connected = taken
  })
  const end = () => {
    open = false
    settle(null)
    settleEnd()
    upgrade.destroy()
    socket?.destroy()
  }
  const answer = async ({ challenge, chainId, quoteMarket, serverTime }: Challenge) => {
    const parsed = parseChallenge(challenge)
    if (!privateKey || !parsed) return
    const account = privateKeyToAccount(privateKey)
    const timestamp = Math.floor(serverTime / 1_000)
    const data = backerAuthTypedData({ ...parsed, chainId, quoteMarket, backer: account.address, timestamp })
    const signature = await account.signTypedData(data)
    const message = JSON.stringify({ type: 'auth', address: account.address, timestamp, signature })
    socket?.write(maskedFrame(textOpcode, Buffer.from(message)))
  }
  upgrade.on('error', end)
  upgrade.on('response', end)
  upgrade.on('upgrade', (_response, opened: Socket, head: Buffer) => {
    socket = opened
    open = true
    let received = head
    const read = () => {
      for (let frame = firstFrame(received); frame; frame = firstFrame(received)) {
        received = received.subarray(frame.length)
        if (frame.opcode === closeOpcode) return end()
        if (frame.opcode === pingOpcode) opened.write(maskedFrame(pongOpcode, frame.payload))
        if (frame.opcode !== textOpcode) continue
        const message = JSON.parse(frame.payload.toString()) as Challenge
        if (message.type === 'auth_challenge') void answer(message)
        if (message.type === 'authenticated') settle(performance.now())
      }
    }
    opened.on('error', end)
    opened.on('close', end)
    opened.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part])
      read()
    })
    read()
  })
  upgrade.end()
  return { authenticated, ended, isOpen: () => open, bytesSent: () => connected?.bytesWritten ?? 0, end }
}

const textOpcode = 1
const closeOpcode = 8
const pingOpcode = 9
const pongOpcode = 10

/** The first whole frame of a server, which masks nothing and sends none above 64 KiB here. */
function firstFrame(bytes: Buffer): { opcode: number; payload: Buffer; length: number } | null {
  if (bytes.length < 2) return null
  const short = (bytes[1] as number) & 127
  const start = short === 126 ? 4 : 2
  if (bytes.length < start) return null
  const size = short === 126 ? bytes.readUInt16BE(2) : short
  if (bytes.length < start + size) return null
  const payload = bytes.subarray(start, start + size)
  return { opcode: (bytes[0] as number) & 15, payload, length: start + size }
}

/** A frame of a client; a mask of zeros leaves the payload as it is. The length of control frames must take 7 bits. */
function maskedFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  const size = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([0x80 | opcode, ...size, 0, 0, 0, 0]), payload])
}
