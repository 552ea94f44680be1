import { fromBase64, parseDecimal, toBase64 } from './bytes.ts'
import { keyTypes, type NoteKey, parseNote, type SignedNote, verifyNote } from './note.ts'
import { ProofError } from './proofError.ts'
import type { TreeHead } from './tree.ts'

/** A log's tree head (c2sp.org/tlog-checkpoint). `origin` identifies the log. */
export type Checkpoint = TreeHead & { origin: string }

/** A checkpoint with verified signatures. */
export type VerifiedCheckpoint = Checkpoint & {
  /** Witnesses of the policy that cosigned, with the times at which they did so, in Unix seconds. */
  witnesses: readonly { name: string; time: number }[]
  note: SignedNote
}

/** The keys that a verifier trusts. */
export type Policy = {
  /** The log's key. Its name is the log's origin. */
  log: NoteKey
  /** Witnesses, of which at least `quorum` must have cosigned. */
  witnesses?: readonly NoteKey[]
  quorum?: number
}

/** The text of a checkpoint that is signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/**
 * Parses a checkpoint's text.
 *
 * @throws {ProofError} if the text is malformed. Extension lines are refused: this log has none.
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n')
  if (origin === '' || rest.length !== 1 || rest[0] !== '')
    throw new ProofError('The checkpoint does not have three lines.')
  const bytes = fromBase64(root, "The checkpoint's root")
  if (bytes.length !== 32) throw new ProofError("The checkpoint's root is not a hash.")
  return { origin, size: parseDecimal(size, "The checkpoint's size"), root: bytes }
}

/**
 * Verifies a signed checkpoint.
 *
 * @param note the signed note, as a log serves it.
 * @throws {ProofError} if the note is malformed, another log's, not signed by the log, or has a wrong signature of a
 *   known key, or fewer cosignatures than the quorum.
 */
export async function verifyCheckpoint(note: string, policy: Policy): Promise<VerifiedCheckpoint> {
  const { log, witnesses = [], quorum = 0 } = policy
  const parsed = parseNote(note)
  const checkpoint = parseCheckpoint(parsed.text)
  if (log.type !== keyTypes.log) throw new ProofError(`The key ${log.name} is not a log's.`)
  if (checkpoint.origin !== log.name)
    throw new ProofError(`The checkpoint is of ${checkpoint.origin}, not of ${log.name}.`)
  if ((await verifyNote(parsed, log)) === undefined)
    throw new ProofError(`The checkpoint is not signed by ${log.name}.`)
  const cosigned: { name: string; time: number }[] = []
  for (const key of witnesses) {
    const time = await verifyNote(parsed, key)
    if (typeof time === 'number') cosigned.push({ name: key.name, time })
  }
  if (cosigned.length < quorum) {
    throw new ProofError(`${cosigned.length} of the policy's witnesses cosigned the checkpoint, but ${quorum} must.`)
  }
  return { ...checkpoint, witnesses: cosigned, note: parsed }
}
