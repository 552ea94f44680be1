import type { BlockRef } from '@firmquote/sdk'

/** Maximum age of a reading that still counts as current. A stalled wallet returns no new readings. */
const oldestMs = 15_000

/**
 * Milliseconds until the chain is read again: soon after a newer block, and otherwise periodically, because remaining
 * times shrink between blocks. A pending read is allowed to finish, however many blocks pass. Pure.
 *
 * @param read The block of the last reading, if any.
 * @param newest The latest known block.
 */
export function rereadAfter(read: BlockRef | undefined, newest: BlockRef | undefined, failed: boolean): number {
  if (failed) return 1_000
  if (!read || !newest) return 5_000
  const isBehind = read.number < newest.number || (read.number === newest.number && read.hash !== newest.hash)
  return isBehind ? 100 : 5_000
}

/** Whether a reading is still current. Both times are Unix milliseconds of the same clock. Pure. */
export function isFresh(readAt: number, now: number): boolean {
  return Math.abs(now - readAt) <= oldestMs
}
