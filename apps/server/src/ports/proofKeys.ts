import type { Address, Hex } from 'viem'

/** The keys of a log. Does not expose the secrets. */
export type ProofKeys = {
  /** The Ed25519 key of the log's checkpoints, 32 bytes. */
  publicKey: Uint8Array
  /** The account that signs receipts, in lower case. */
  signer: Address
  /** Signs a note's text with Ed25519: 64 bytes. The same text always has the same signature. */
  signText(text: string): Uint8Array
  /** Signs a receipt's EIP-712 digest with secp256k1: 65 bytes. */
  signDigest(digest: Hex): Hex
}
