import type { Recovery, SignatureFault } from '@firmquote/core'
import type { Hex } from 'viem'

// What crosses between the threads: bytes of fixed width, since copying objects would cost more than a digest does.

/** A digest and a signature of 65 bytes. */
export const requestBytes = 32 + 65
/** A fault's number plus one, or zero and an address. */
export const answerBytes = 1 + 20

const faults: readonly SignatureFault[] = ['not_65_bytes', 'v_not_27_or_28', 'high_s', 'unrecoverable']

/** Writes digests and signatures, each of the right width. */
export function encodeRequests(requests: readonly { digest: Hex; signature: Hex }[]): Uint8Array<ArrayBuffer> {
  // Not from Node's shared pool: the bytes are handed over to the other thread.
  const records = Buffer.from(new ArrayBuffer(requests.length * requestBytes))
  requests.forEach(({ digest, signature }, index) => {
    records.write(digest.slice(2), index * requestBytes, 'hex')
    records.write(signature.slice(2), index * requestBytes + 32, 'hex')
  })
  return records
}

/** Writes what one recovery gave at its place among the answers. */
export function encodeAnswer(answers: Uint8Array, index: number, recovered: Uint8Array | SignatureFault): void {
  const at = index * answerBytes
  if (typeof recovered === 'string') answers[at] = faults.indexOf(recovered) + 1
  else answers.set(recovered, at + 1)
}

/** Reads one answer; a signer's address is lower-case. */
export function decodeAnswer(answers: Uint8Array, index: number): Recovery {
  const at = index * answerBytes
  const fault = faults[(answers[at] ?? 0) - 1]
  if (fault) return { fault }
  return { signer: `0x${Buffer.from(answers.buffer, answers.byteOffset + at + 1, 20).toString('hex')}` }
}
