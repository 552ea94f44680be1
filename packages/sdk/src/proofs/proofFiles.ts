import {
  closeEntry,
  decodeRecord,
  formatKey,
  formatLogProof,
  formatNote,
  fromBase64,
  hashSalted,
  keyIdOf,
  type NoteKey,
  type ProvenEntry,
  quoteLeaf,
  toBase64,
  type VerifiedCheckpoint,
  verifyCheckpoint,
  verifyProof,
} from '@firmquote/verify'
import { bytesToHex, type Hex, isAddressEqual, sha256 } from 'viem'
import type { Promised } from './judgeReceipt.ts'
import type { BookLog } from './receiptBookTypes.ts'

/**
 * A checkpoint as proof files have it: its note with the signatures of known keys only, in the order of `keys`.
 * `cosignedAt` is the latest time at which a trusted witness cosigned it, in Unix seconds.
 */
export type ProofHead = { checkpoint: VerifiedCheckpoint; note: string; keys: string[]; cosignedAt: number | null }

/** Reads the newest checkpoint. @throws {ProofError} if a signature of a known key is wrong. */
export async function readHead(log: BookLog, key: NoteKey, witnesses: readonly NoteKey[]): Promise<ProofHead> {
  const checkpoint = await log.checkpoint()
  const verified = await verifyCheckpoint(formatNote(checkpoint.note), { log: key, witnesses })
  return toHead(checkpoint, key, witnesses, verified)
}

/** Selects the signatures of known keys. `verified` has the witnesses among them who cosigned. */
export function toHead(
  checkpoint: VerifiedCheckpoint,
  key: NoteKey,
  witnesses: readonly NoteKey[],
  verified: Pick<VerifiedCheckpoint, 'witnesses'> = checkpoint,
): ProofHead {
  const { text, signatures } = checkpoint.note
  const known = [key, ...witnesses.filter(({ name }) => verified.witnesses.some((witness) => witness.name === name))]
  const lines = known.flatMap((one) => signatures.filter(({ keyId }) => bytesToHex(keyId) === bytesToHex(keyIdOf(one))))
  const times = verified.witnesses.map(({ time }) => time)
  return {
    checkpoint,
    note: formatNote({ text, signatures: lines }),
    keys: known.map(formatKey),
    cosignedAt: times.length > 0 ? Math.max(...times) : null,
  }
}

/** Proves that the log has an entry. */
export async function proveEntry(
  log: Pick<BookLog, 'inclusionPath'>,
  { checkpoint, note }: ProofHead,
  entry: Uint8Array,
  index: number,
): Promise<ProvenEntry> {
  const path = await log.inclusionPath(index, checkpoint)
  return { record: toBase64(entry), proof: formatLogProof({ index, path, checkpoint: note }) }
}

/** Proves that `entries` are the log's last ones, from index `from` on. */
export async function proveLastEntries(
  log: Pick<BookLog, 'inclusionPath'>,
  { checkpoint, note }: ProofHead,
  { from, entries }: { from: number; entries: readonly Uint8Array[] },
) {
  const path = await log.inclusionPath(from, checkpoint)
  const subtrees = subtreesBefore(from, checkpoint.size, path).map(toBase64)
  return { checkpoint: note, from, subtrees, entries: entries.map(toBase64) }
}

/**
 * The complete subtrees of the leaves before `index`, largest first. They are the left siblings in the leaf's inclusion
 * path.
 */
function subtreesBefore(index: number, size: number, path: readonly Uint8Array[]): Uint8Array[] {
  const left: Uint8Array[] = []
  let [at, last] = [index, size - 1]
  for (const sibling of path) {
    if (at % 2 === 1 || at === last) {
      left.unshift(sibling)
      while (at % 2 === 0 && at !== 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
    }
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return left
}

/** Whether a text proves that the log's auction has the promised leaf, and that the leaf is this quote's. */
export async function provesQuote(
  text: string,
  { promise, signature, log }: { promise: Promised; signature: Hex; log: NoteKey },
): Promise<boolean> {
  const verdict = await verifyProof(text, { log })
  if (!verdict.isValid || verdict.file.type !== 'quote') return false
  const { close, opening, index } = verdict.file
  const record = fromBase64(opening.record, 'A record')
  const { publicRfqId } = decodeRecord(closeEntry.kind, closeEntry.layout, fromBase64(close.record, 'An entry'))
  const leaf = decodeRecord(quoteLeaf.kind, quoteLeaf.layout, record)
  return (
    publicRfqId === promise.publicRfqId &&
    index === promise.seq &&
    bytesToHex(hashSalted(fromBase64(opening.salt, 'A salt'), record)) === promise.leaf &&
    leaf.hash === promise.hash &&
    isAddressEqual(leaf.maker, promise.maker) &&
    leaf.signature === sha256(signature)
  )
}
