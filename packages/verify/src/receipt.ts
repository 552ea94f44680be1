import type { Receipt } from '@firmquote/core'
import { recoverSigner } from '@firmquote/core/protocol'
import { type Address, bytesToHex, type Hex, hashTypedData } from 'viem'
import { fromBase64 } from './bytes.ts'
import { ProofError } from './proofError.ts'
import { hashNode, hashSalted } from './tree.ts'

/** Hashes of a batch's receipts are at most this many levels below its root: 65,536 receipts. */
const maxPath = 16

export type { Receipt }

/** The EIP-712 types of a receipt. */
export const receiptTypes = {
  Receipt: [
    { name: 'log', type: 'string' },
    { name: 'batchRoot', type: 'bytes32' },
    { name: 'mergeBy', type: 'uint64' },
  ],
} as const
/** The EIP-712 domain of receipts. A log's origin identifies the market, so the domain needs neither chain nor contract. */
export const receiptDomain = { name: 'Firmquote receipts', version: '1' } as const

/** The hash that the service signs. */
export function hashReceipt(fields: { log: string; batchRoot: Hex; mergeBy: number }): Hex {
  const { log, batchRoot, mergeBy } = fields
  return hashTypedData({
    domain: receiptDomain,
    types: receiptTypes,
    primaryType: 'Receipt',
    message: { log, batchRoot, mergeBy: BigInt(mergeBy) },
  })
}

/**
 * Returns the address that signed a receipt, and the promise's encoded record. The caller compares the signer with the
 * log's keys.
 *
 * @throws {ProofError} if the receipt is malformed or its signature recovers no address.
 */
export async function recoverReceipt(receipt: Receipt): Promise<{ signer: Address; leaf: Uint8Array }> {
  const { log, mergeBy, signature, index } = receipt
  const texts: unknown[] = [log, signature, receipt.salt, receipt.leaf]
  if (!Array.isArray(receipt.path) || ![...texts, ...receipt.path].every((text) => typeof text === 'string'))
    throw new ProofError('A field of the receipt is missing, or not a text.')
  const isWhole = [mergeBy, index].every((value) => Number.isSafeInteger(value) && value >= 0)
  if (!isWhole) throw new ProofError("The receipt's mergeBy and index are not whole numbers.")
  if (receipt.path.length > maxPath) throw new ProofError(`The receipt's path has more than ${maxPath} hashes.`)
  const path = receipt.path.map((hash) => fromBase64(hash, "A hash of the receipt's path"))
  const salt = fromBase64(receipt.salt, "The receipt's salt")
  if (salt.length !== 16 || path.some(({ length }) => length !== 32)) {
    throw new ProofError("The receipt's salt or path has another length.")
  }
  const leaf = fromBase64(receipt.leaf, "The receipt's leaf")
  const batchRoot = bytesToHex(rootOfPath(hashSalted(salt, leaf), index, path))
  const hash = hashReceipt({ log, batchRoot, mergeBy })
  const { signer, fault } = await recoverSigner(hash, signature)
  if (!signer) throw new ProofError(`The receipt's signature is invalid (${fault}).`)
  return { signer, leaf }
}

/**
 * Builds a batch's tree: its root, and each leaf's path. A batch is padded with zero hashes to a power of two, so that an
 * index and a path determine the root alone.
 *
 * @param leaves 1 to 65,536 leaf hashes.
 */
export function buildBatch(leaves: readonly Uint8Array[]): { root: Uint8Array; paths: Uint8Array[][] } {
  const width = 2 ** Math.ceil(Math.log2(leaves.length))
  let level = Array.from({ length: width }, (_, index) => leaves[index] ?? new Uint8Array(32))
  const paths: Uint8Array[][] = leaves.map(() => [])
  for (let height = 0; level.length > 1; height += 1) {
    for (const [index, path] of paths.entries()) path.push(level[Math.floor(index / 2 ** height) ^ 1] as Uint8Array)
    level = level.flatMap((left, index) => (index % 2 === 0 ? [hashNode(left, level[index + 1] as Uint8Array)] : []))
  }
  return { root: level[0] as Uint8Array, paths }
}

function rootOfPath(leaf: Uint8Array, index: number, path: readonly Uint8Array[]): Uint8Array {
  if (index >= 2 ** path.length) throw new ProofError("The receipt's index is not in its batch.")
  return path.reduce((hash, sibling, height) => {
    const isRight = Math.floor(index / 2 ** height) % 2 === 1
    return isRight ? hashNode(sibling, hash) : hashNode(hash, sibling)
  }, leaf)
}
