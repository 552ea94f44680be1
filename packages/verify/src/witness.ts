import { hexToBytes, numberToHex } from 'viem'
import { areEqual, concat, toBase64, utf8 } from './bytes.ts'
import { type Checkpoint, type VerifiedCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import {
  cosignedText,
  formatKey,
  formatNote,
  formatSignature,
  keyIdOf,
  type NoteKey,
  parseSignature,
  verifyNote,
} from './note.ts'
import { ProofError } from './proofError.ts'
import type { ForkProof } from './proofFile.ts'
import { rootOf, type TreeHead, verifyConsistency } from './tree.ts'

// The rules of a witness (c2sp.org/tlog-witness): the witness's own, and those by which a log checks its answers.

/** A checkpoint offered to a witness: a signed note, and the proof of its consistency with the tree of `from` leaves. */
export type OfferedCheckpoint = { note: string; from: number; path: readonly Uint8Array[] }

/**
 * A witness's decision on a checkpoint: cosigns it once `note` is stored, asks for a proof from its own size, or keeps
 * both notes because the log may have forked. `note` has the log's signature only.
 */
export type WitnessVerdict =
  | { action: 'cosign'; note: string; checkpoint: VerifiedCheckpoint }
  | { action: 'resync'; size: number }
  | { action: 'suspect'; note: string; checkpoint: VerifiedCheckpoint; reason: string }

/**
 * Judges a checkpoint against the last one that the witness accepted of this log, or null if there is none.
 *
 * @throws {ProofError} if the note is malformed, another log's, or not signed by the log.
 */
export async function judgeCheckpoint(
  { note, from, path }: OfferedCheckpoint,
  { log, last }: { log: NoteKey; last: Checkpoint | null },
): Promise<WitnessVerdict> {
  const checkpoint = await verifyCheckpoint(note, { log })
  const own = ownNote(checkpoint, log)
  const suspect = (reason: string) => ({ action: 'suspect', note: own, checkpoint, reason }) as const
  const size = last?.size ?? 0
  if (checkpoint.size < size) return suspect(`The log shows ${checkpoint.size} entries, but has shown ${size} before.`)
  // Equal sizes need no proof.
  if (last && checkpoint.size === size) {
    return areEqual(checkpoint.root, last.root)
      ? { action: 'cosign', note: own, checkpoint }
      : suspect(`The log shows two trees of ${size} entries.`)
  }
  if (from !== size) return { action: 'resync', size }
  try {
    verifyConsistency(last ?? { size, root: rootOf([]) }, checkpoint, path)
    return { action: 'cosign', note: own, checkpoint }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return suspect(error.message)
  }
}

/** The note with the log's signature alone. */
function ownNote({ note }: VerifiedCheckpoint, log: NoteKey): string {
  const id = keyIdOf(log)
  const signatures = note.signatures.filter(({ name, keyId }) => name === log.name && areEqual(keyId, id))
  return formatNote({ text: note.text, signatures })
}

/** Signs a message with a witness's Ed25519 key. @returns 64 bytes. */
export type SignBytes = (message: Uint8Array) => Promise<Uint8Array> | Uint8Array

/** Cosigns a note's text at `time`, in Unix seconds. @returns the signature line, without its newline. */
export async function cosign(
  text: string,
  { key, sign, time }: { key: NoteKey; sign: SignBytes; time: number },
): Promise<string> {
  const signature = await sign(utf8(cosignedText(text, time)))
  const stamp = hexToBytes(numberToHex(time, { size: 8 }))
  return formatSignature({ name: key.name, keyId: keyIdOf(key), signature: concat(stamp, signature) })
}

/**
 * Verifies a witness's signature line below a note's text.
 *
 * @returns the time at which the witness signed, in Unix seconds.
 * @throws {ProofError} if the line is malformed, another key's, or wrong.
 */
export async function verifyCosignature(text: string, line: string, key: NoteKey): Promise<number> {
  const time = await verifyNote({ text, signatures: [parseSignature(line)] }, key)
  if (typeof time !== 'number') throw new ProofError(`The line is not a cosignature of ${formatKey(key)}.`)
  return time
}

/** Reads a tree by its tiles. Both methods verify them with the root. */
export type TreeSource = {
  /** The root of the first `size` leaves. */
  root(size: number, head: TreeHead): Promise<Uint8Array>
  consistencyPath(from: number, head: TreeHead): Promise<Uint8Array[]>
}

/**
 * Proves that two signed checkpoints of a log show two histories.
 *
 * @param source reads the larger tree. Equal sizes need no reads.
 * @returns null if the checkpoints are consistent.
 * @throws {ProofError} if a note is not the log's, or if what `source` reads does not match the larger checkpoint.
 */
export async function proveFork(
  notes: readonly [string, string],
  { log, source }: { log: NoteKey; source: TreeSource },
): Promise<ForkProof | null> {
  const [one, two] = [await verifyCheckpoint(notes[0], { log }), await verifyCheckpoint(notes[1], { log })]
  const [older, newer] = one.size <= two.size ? [one, two] : [two, one]
  const isSameSize = older.size === newer.size
  const root = isSameSize ? newer.root : await source.root(older.size, newer)
  const path = isSameSize ? [] : await source.consistencyPath(older.size, newer)
  verifyConsistency({ size: older.size, root }, newer, path)
  if (areEqual(root, older.root)) return null
  return {
    ...{ type: 'fork', keys: [formatKey(log)], older: ownNote(older, log), newer: ownNote(newer, log) },
    ...{ root: toBase64(root), path: path.map(toBase64) },
  }
}
