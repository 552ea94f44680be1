import type { Hex } from 'viem'

/** The bytes of a hex string. */
export function blobOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Stored bytes as lower-case hex. */
export function hexOf(blob: Buffer): Hex {
  return `0x${blob.toString('hex')}`
}

/** A uint256 as 32 big-endian bytes, which sort in numerical order. */
export function amountBlob(amount: bigint): Buffer {
  return Buffer.from(amount.toString(16).padStart(64, '0'), 'hex')
}

/** The number encoded by 32 big-endian bytes. */
export function amountOf(blob: Buffer): bigint {
  return BigInt(hexOf(blob))
}

/** The bytes of an auction ID. */
export function idBlob(rfqId: string): Buffer {
  return Buffer.from(rfqId, 'hex')
}
