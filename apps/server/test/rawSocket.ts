import { once } from 'node:events'
import { connect } from 'node:net'

/** Completes a WebSocket handshake and returns the raw connection, so that tests can write arbitrary bytes. */
export async function openRawSocket(port: number) {
  const socket = connect(port, '127.0.0.1')
  let received = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.write(
    'GET /ws/rfq HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
  )
  socket.on('data', (data) => {
    received = Buffer.concat([received, data])
  })
  await once(socket, 'data')
  return {
    write: (bytes: Buffer) => void socket.write(bytes),
    /** Stops reading. */
    pause: () => void socket.pause(),
    /** Returns the code in the received close frame. Returns null if the connection ended without a close frame. */
    closeCode: once(socket, 'close').then(() => closeCodeIn(received.subarray(received.indexOf('\r\n\r\n') + 4))),
    destroy: () => socket.destroy(),
  }
}

/** A client frame. The frame's mask is all zeros, which leaves the payload unchanged. */
export function frame(opcode: number, payload: Buffer | string, { fin = true, masked = true } = {}): Buffer {
  const body = Buffer.from(payload)
  const mask = masked ? 0x80 : 0
  const head =
    body.length < 126
      ? Buffer.from([(fin ? 0x80 : 0) | opcode, mask | body.length])
      : Buffer.from([(fin ? 0x80 : 0) | opcode, mask | 126, body.length >> 8, body.length & 0xff])
  return Buffer.concat([head, ...(masked ? [Buffer.alloc(4)] : []), body])
}

function closeCodeIn(frames: Buffer): number | null {
  let at = 0
  while (at + 2 <= frames.length) {
    const opcode = frames.readUInt8(at) & 0x0f
    const short = frames.readUInt8(at + 1) & 0x7f
    const start = at + (short === 126 ? 4 : short === 127 ? 10 : 2)
    const length =
      short === 126 ? frames.readUInt16BE(at + 2) : short === 127 ? Number(frames.readBigUInt64BE(at + 2)) : short
    if (opcode === 0x8) return length >= 2 ? frames.readUInt16BE(start) : null
    at = start + length
  }
  return null
}
