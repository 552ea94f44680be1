import type { BlockRef } from '@firmquote/sdk'

/** How old a reading may be and still count as what the chain says now; a wallet that falls silent says nothing. */
const oldestMs = 15_000

/**
 * When to read the chain again, in milliseconds: soon if there is a newer block, else now and then, since the time that is
 * left runs out between blocks too. A reading that is under way is let finish, however many blocks it takes. Pure.
 *
 * @param read the block of the last reading, if there is one.
 * @param newest the newest block that is known.
 */
export function rereadAfter(read: BlockRef | undefined, newest: BlockRef | undefined, failed: boolean): number {
  if (failed) return 1_000
  if (!read || !newest) return 5_000
  const isBehind = read.number < newest.number || (read.number === newest.number && read.hash !== newest.hash)
  return isBehind ? 100 : 5_000
}

/** Whether a reading still counts. Pure; both in Unix milliseconds of one clock. */
export function isFresh(readAt: number, now: number): boolean {
  return Math.abs(now - readAt) <= oldestMs
}
