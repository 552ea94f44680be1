import type { BackdatedProof, NoteKey, OverdueProof, VerifiedCheckpoint } from '@firmquote/verify'
import type { LogReader } from './createLogReader.ts'
import { maxEntries } from './findAuction.ts'
import { proveEntry, proveLastEntries, toHead } from './proofFiles.ts'

/** A checkpoint that a reader of the log verified with these witnesses. Their cosignatures become part of the proof. */
export type CosignedCheckpoint = { checkpoint: VerifiedCheckpoint; witnesses: readonly NoteKey[] }

/**
 * Proves that a log did not close an auction in time. The proof is valid if a witness cosigned the checkpoint 60 s or more
 * after the auction's end, and the log has no close before.
 *
 * @param index the index of the auction's opening.
 * @returns null if the proof would need more than 65,536 entries (5 MB).
 * @throws {ProofError} if the log's answer is false.
 * @throws {ClientError} if the log does not answer.
 * @example
 * ```ts
 * const reader = createLogReader({ url: `${orderbookUrl}/log/1` })
 * const checkpoint = await reader.checkpoint()
 * const opening = checkpoint.size - 1
 * const proof = await proveOverdue(reader, opening, { checkpoint, witnesses: [] })
 * ```
 */
export async function proveOverdue(
  reader: LogReader,
  index: number,
  { checkpoint, witnesses }: CosignedCheckpoint,
): Promise<OverdueProof | null> {
  if (checkpoint.size - index > maxEntries) return null
  const head = toHead(checkpoint, await reader.key(), witnesses)
  const entries = await reader.entries(index, checkpoint.size, checkpoint)
  const rest = await proveLastEntries(reader, head, { from: index, entries })
  return { type: 'overdue', keys: head.keys, ...rest }
}

/**
 * Proves that a log added an auction later than it states. The proof is valid if a witness cosigned the checkpoint more than
 * 60 s after the auction's `openedAt`, and the checkpoint has at most `index` entries.
 *
 * @param index the index of the auction's opening.
 * @param newer a verified checkpoint that has the opening.
 * @throws {ProofError} if the log's answer is false.
 * @throws {ClientError} if the log does not answer.
 * @example
 * ```ts
 * const reader = createLogReader({ url: `${orderbookUrl}/log/1` })
 * const [checkpoint, newer] = [await reader.checkpoint(), await reader.checkpoint()]
 * const opening = newer.size - 1
 * const proof = await proveBackdated(reader, opening, { checkpoint, witnesses: [] }, newer)
 * ```
 */
export async function proveBackdated(
  reader: LogReader,
  index: number,
  { checkpoint, witnesses }: CosignedCheckpoint,
  newer: VerifiedCheckpoint,
): Promise<BackdatedProof> {
  const key = await reader.key()
  const { keys, note } = toHead(checkpoint, key, witnesses)
  const [entry = new Uint8Array()] = await reader.entries(index, index + 1, newer)
  const open = await proveEntry(reader, toHead(newer, key, []), entry, index)
  return { type: 'backdated', keys, checkpoint: note, open }
}
