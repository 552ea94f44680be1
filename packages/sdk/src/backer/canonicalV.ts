import { concatHex, type Hex, size, slice } from 'viem'

/** Converts a v of 0 or 1, which some wallets return, to the 27 or 28 that the contract expects. */
export function canonicalV(signature: Hex): Hex {
  if (size(signature) !== 65) return signature
  const v = slice(signature, 64)
  if (v !== '0x00' && v !== '0x01') return signature
  return concatHex([slice(signature, 0, 64), v === '0x00' ? '0x1b' : '0x1c'])
}
