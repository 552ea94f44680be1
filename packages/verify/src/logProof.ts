import { areEqual, fromBase64, parseDecimal, toBase64 } from './bytes.ts'
import { type Policy, type VerifiedCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import { ProofError } from './proofError.ts'
import { hashLeaf, rootOfInclusion, type TreeHead } from './tree.ts'

const header = 'c2sp.org/tlog-proof@v1'
/** A tree of 2^53 leaves has paths of this length. */
const maxPath = 53

/** A proof that a log has an entry (c2sp.org/tlog-proof). `checkpoint` is a signed note. */
export type LogProof = { index: number; path: readonly Uint8Array[]; checkpoint: string }

/** Formats a proof. */
export function formatLogProof({ index, path, checkpoint }: LogProof): string {
  return [header, `index ${index}`, ...path.map(toBase64), '', checkpoint].join('\n')
}

/**
 * Parses a proof without verifying it.
 *
 * @throws {ProofError} if the text is malformed, or has extra data.
 */
export function parseLogProof(text: string): LogProof {
  const end = text.indexOf('\n\n')
  const [first, indexLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\n')
  if (first !== header || !indexLine.startsWith('index '))
    throw new ProofError('The text is not a proof of a log entry.')
  if (lines.length > maxPath) throw new ProofError(`The path has more than ${maxPath} hashes.`)
  const path = lines.map((line) => fromBase64(line, 'A hash of the path'))
  if (path.some(({ length }) => length !== 32)) throw new ProofError('A line of the path is not a hash.')
  return { index: parseDecimal(indexLine.slice('index '.length), 'The index'), path, checkpoint: text.slice(end + 2) }
}

/**
 * Verifies that a log has an entry.
 *
 * @throws {ProofError} if the checkpoint does not satisfy the policy, or does not contain the entry at the index.
 */
export async function verifyLogProof(
  text: string,
  entry: Uint8Array,
  policy: Policy,
): Promise<VerifiedCheckpoint & { index: number }> {
  const proof = parseLogProof(text)
  const checkpoint = await verifyCheckpoint(proof.checkpoint, policy)
  requireInclusion(proof, entry, checkpoint)
  return { ...checkpoint, index: proof.index }
}

/** @throws {ProofError} if a tree does not have an entry at the proof's index. */
export function requireInclusion({ index, path }: LogProof, entry: Uint8Array, { size, root }: TreeHead): void {
  if (areEqual(rootOfInclusion(hashLeaf(entry), index, size, path), root)) return
  throw new ProofError(`The log's tree of ${size} leaves does not have this entry at ${index}.`)
}
