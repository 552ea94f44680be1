import { createHashReader, type HashReader } from '@firmquote/verify'
import type { ProofStore } from '../../ports/store.ts'

/** Reads the hashes of a log's tree of `size` entries, each tile once. */
export function readLogHashes(store: Pick<ProofStore, 'findTile'>, log: number, size: number): HashReader {
  return createHashReader(size, async ({ level, index, width }) => {
    const hashes = await store.findTile(log, Number(level), index)
    return (hashes ?? new Uint8Array()).subarray(0, width * 32)
  })
}
