import { rootOf } from '@firmquote/verify'
import { bytesToHex, type Hex } from 'viem'

/** A checkpoint's and the service's view of a receipt's auction. */
export type PromiseFacts = {
  /** The auction's entries in the checkpoint's tree. Unknown if too many entries would have to be read. */
  entries: 'closed' | 'open' | 'none' | 'unknown'
  /** The log's commitment to the closed auction. */
  close: { count: number; root: Hex } | null
  /** The leaf hashes that the service lists, or null. */
  hashes: readonly Uint8Array[] | null
  /** The latest time at which a trusted witness cosigned the checkpoint, in Unix seconds. */
  cosignedAt: number | null
}

/**
 * - `kept`: the closed auction has the leaf.
 * - `omitted`: the closed auction does not have the leaf. Provable.
 * - `withheld`: the service does not list the closed auction's leaves. Visible, but proves nothing.
 * - `unclosed`: the log does not close the auction, although a trusted witness saw it in time. Provable.
 * - `unopened`: the same, but the log does not even have the opening. Visible, but there is no file for it.
 * - `unseen`: no witness saw the log after the promise's time.
 */
export type PromiseVerdict = 'kept' | 'omitted' | 'withheld' | 'unclosed' | 'unopened' | 'unseen'

/** Judges a receipt's promise. No local clock decides: only the log and the times of witnesses. */
export function judgePromise(
  { seq, leaf, mergeBy }: { seq: number; leaf: Hex; mergeBy: number },
  { entries, close, hashes, cosignedAt }: PromiseFacts,
): PromiseVerdict {
  if (close) {
    const isList = hashes?.length === close.count && bytesToHex(rootOf(hashes)) === close.root
    if (!hashes || !isList) return 'withheld'
    const found = hashes[seq]
    // The last leaf is the close.
    return found && seq < hashes.length - 1 && bytesToHex(found) === leaf ? 'kept' : 'omitted'
  }
  if (cosignedAt === null || cosignedAt < mergeBy) return 'unseen'
  if (entries === 'unknown') return 'withheld'
  return entries === 'open' ? 'unclosed' : 'unopened'
}
