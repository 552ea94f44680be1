// A process of readers: it opens the connections, does what each needs before its first broadcast, and then only drains
// them. It passes them to the C program where there is one, so that the readers cost as little as possible. Speaks the lines of native/fanOutFloor.c on its standard input and output.
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { backerAuthTypedData, parseChallenge, type ServerMessage } from '@firmquote/core'
import { privateKeyToAccount } from 'viem/accounts'
import { startStdioProgram } from '../native/stdioProgram.ts'

/** What the connections speak before they only listen. */
export type ReaderKind = 'raw' | 'ws' | 'backer' | 'socket.io'

const [kind, portText, countText, floor] = process.argv.slice(2)
/** Of several ports each connection takes the next. */
const ports = (portText ?? '').split(',').map(Number)
const count = Number(countText)
const account = privateKeyToAccount(`0x${'07'.repeat(32)}`)

const sockets: Socket[] = []
// In groups, so that no accept queue overflows.
while (sockets.length < count) {
  const some = Math.min(100, count - sockets.length)
  sockets.push(
    ...(await Promise.all(
      Array.from({ length: some }, (_, index) => open(ports[(sockets.length + index) % ports.length])),
    )),
  )
}
if (floor) {
  const program = startStdioProgram(floor, ['drain', String(count)], sockets)
  console.log('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    program.write(line)
    console.log(await program.next())
    console.log(await program.next())
  }
  await program.stop()
} else {
  let left = 0
  for (const socket of sockets) {
    socket.on('data', (data) => {
      left -= data.length
      if (left === 0) console.log(String(process.hrtime.bigint()))
    })
  }
  console.log('ready')
  for await (const line of createInterface({ input: process.stdin })) {
    left = Number(line)
    console.log('waiting')
  }
}
process.exit()

async function open(port = 0): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  socket.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  if (kind === 'raw') return socket
  const path = kind === 'backer' ? '/ws/rfq' : kind === 'socket.io' ? '/socket.io/?EIO=4&transport=websocket' : '/'
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const next = createTextDecoder(socket)
  if (kind === 'backer') {
    socket.write(maskedText(await answerChallenge(await next())))
    const answer = await next()
    const { type } = JSON.parse(answer) as ServerMessage
    if (type !== 'authenticated') throw new TypeError(`A backer was answered with ${answer}.`)
  } else if (kind === 'socket.io') {
    await next()
    socket.write(maskedText('40'))
    await next()
  } else {
    await next()
  }
  socket.removeAllListeners('data')
  return socket
}

/** Reads the answer to the upgrade and then one text frame after the other. */
function createTextDecoder(socket: Socket): () => Promise<string> {
  let bytes = Buffer.alloc(0)
  let upgraded = false
  let wake = () => {}
  socket.on('data', (data) => {
    bytes = Buffer.concat([bytes, data])
    wake()
  })
  const take = (): string | null => {
    if (!upgraded) {
      const end = bytes.indexOf('\r\n\r\n')
      if (end < 0) return null
      if (!bytes.toString('latin1').startsWith('HTTP/1.1 101')) throw new TypeError('The upgrade was refused.')
      upgraded = true
      bytes = bytes.subarray(end + 4)
    }
    if (bytes.length < 4) return null
    const short = bytes.readUInt8(1)
    const start = short < 126 ? 2 : 4
    const end = start + (short < 126 ? short : bytes.readUInt16BE(2))
    if (bytes.length < end) return null
    const text = bytes.toString('utf8', start, end)
    bytes = bytes.subarray(end)
    return text
  }
  return async () => {
    for (;;) {
      const text = take()
      if (text !== null) return text
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}

/** A client's frame, masked with zeros. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text)
  const head =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0])
  return Buffer.concat([head, payload])
}

async function answerChallenge(text: string): Promise<string> {
  const message = JSON.parse(text) as Extract<ServerMessage, { type: 'auth_challenge' }>
  const challenge = parseChallenge(message.challenge)
  if (!challenge) throw new TypeError(`The server sent no challenge but ${text}.`)
  const { chainId, quoteMarket, serverTime } = message
  const timestamp = Math.floor(serverTime / 1_000)
  const auth = { ...challenge, backer: account.address, chainId, quoteMarket, timestamp }
  const signature = await account.signTypedData(backerAuthTypedData(auth))
  return JSON.stringify({ type: 'auth', address: account.address, timestamp, signature })
}
