/** Encodes a text as one unmasked WebSocket frame (RFC 6455, section 5.2) in one buffer, which can be written to many sockets. */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10
  // Not from the pool: a frame that waits for a slow reader would keep its whole pool slab in memory.
  const frame = Buffer.allocUnsafeSlow(start + length)
  frame[0] = finalText
  if (start === 2) frame[1] = length
  else if (start === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, start)
  return frame
}

const finalText = 0x81
