import type { BlockRef } from '@firmquote/sdk'

/** Maximum age of chain data. Older data expires, because a stalled wallet never replaces it. */
const oldestMs = 15_000

/**
 * Milliseconds until the next chain read. Short after a new block. The chain is also reread between blocks, because
 * deadlines approach even without a new block. New blocks do not cancel a pending read. Pure.
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

/** Whether chain data is still current. Both times are Unix milliseconds from the same clock. Pure. */
export function isFresh(readAt: number, now: number): boolean {
  return Math.abs(now - readAt) <= oldestMs
}
