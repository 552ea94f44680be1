import {
  closeEntry,
  decodeRecord,
  openEntry,
  ProofError,
  type RecordKind,
  type RecordOf,
  type TreeHead,
} from '@firmquote/verify'
import type { BookLog } from './receiptBookTypes.ts'

/** Entries read at once, which is a full tile. */
const step = 256
/** Maximum number of entries after an auction's opening to search for its close. A proof of more would be 5 MB. */
export const maxEntries = 65_536

/** An auction's entries in a log. `entries` are all entries from the opening, at `from`, to the end of the tree. */
export type FoundAuction =
  | { kind: 'closed'; index: number; entry: Uint8Array; close: RecordOf<typeof closeEntry.layout> }
  | { kind: 'open'; from: number; entries: readonly Uint8Array[] }
  | { kind: 'none' }
  | { kind: 'unknown' }

/** Reads the close at the index that the service names. Returns null if there is another entry, or none. */
export async function readClose(
  log: BookLog,
  head: TreeHead,
  publicRfqId: string,
  index: number | null,
): Promise<Extract<FoundAuction, { kind: 'closed' }> | null> {
  if (index === null || index >= head.size) return null
  const [entry] = await log.entries(index, index + 1, head)
  return entry ? asClose(entry, index, publicRfqId) : null
}

/** Searches a tree for an auction's entries, from the newest entry backwards, without trusting the service. */
export async function findAuction(log: BookLog, head: TreeHead, publicRfqId: string): Promise<FoundAuction> {
  const { size } = head
  const chunks: Uint8Array[][] = []
  for (let to = size; to > 0; ) {
    const from = Math.floor((to - 1) / step) * step
    const entries = await log.entries(from, to, head)
    for (let at = entries.length - 1; at >= 0; at -= 1) {
      const entry = entries[at] as Uint8Array
      const closed = asClose(entry, from + at, publicRfqId)
      if (closed) return closed
      if (isOpening(entry, publicRfqId))
        return { kind: 'open', from: from + at, entries: [entries.slice(at), ...chunks].flat() }
    }
    chunks.unshift(entries)
    to = from
    if (size - to >= maxEntries && to > 0) return { kind: 'unknown' }
  }
  return { kind: 'none' }
}

function asClose(
  entry: Uint8Array,
  index: number,
  publicRfqId: string,
): Extract<FoundAuction, { kind: 'closed' }> | null {
  const close = decode(closeEntry, entry)
  return close?.publicRfqId === publicRfqId ? { kind: 'closed', index, entry, close } : null
}

function isOpening(entry: Uint8Array, publicRfqId: string): boolean {
  return decode(openEntry, entry)?.publicRfqId === publicRfqId
}

/** Decodes a record, or returns null: a malformed entry opens and closes no auction. */
function decode<L extends RecordKind['layout']>(
  { kind, layout }: { kind: number; layout: L },
  entry: Uint8Array,
): RecordOf<L> | null {
  if (entry[0] !== kind) return null
  try {
    return decodeRecord(kind, layout, entry)
  } catch (error) {
    if (error instanceof ProofError) return null
    throw error
  }
}
