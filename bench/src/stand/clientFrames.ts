import { randomBytes } from 'node:crypto'

const text = 1
const pong = 10

/** A text frame as a client sends it: whole, and masked as RFC 6455 demands (section 5.3). */
export const textFrame = (payload: string): Buffer => clientFrame(text, Buffer.from(payload))

/** The answer to a ping. */
export const pongFrame = (payload: Buffer): Buffer => clientFrame(pong, payload)

function clientFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload
  if (length > 0xffff) throw new TypeError('The frame is too long.')
  const mask = randomBytes(4)
  const head = length < 126 ? Buffer.from([0x80 | opcode, 0x80 | length]) : Buffer.alloc(4)
  if (length >= 126) {
    head.set([0x80 | opcode, 0x80 | 126])
    head.writeUInt16BE(length, 2)
  }
  const masked = payload.map((byte, index) => byte ^ (mask[index & 3] as number))
  return Buffer.concat([head, mask, masked])
}

/** Takes the frames out of what a server sends: never masked, never in pieces. The answer keeps what is not whole yet. */
export function createFrameDecoder(onFrame: (opcode: number, payload: Buffer) => void) {
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
