/** Maximum time to poll the service for a transaction's block, in milliseconds. */
const patienceMs = 30_000

// The block of this page's last mined transaction. Service responses for earlier blocks are stale.
let awaited = { block: 0n, until: 0 }

/**
 * Polls account data every second until the service reaches a block, for at most 30 seconds.
 *
 * @param now Unix milliseconds.
 */
export function awaitBlock(block: bigint, now = Date.now()): void {
  awaited = { block, until: now + patienceMs }
}

/**
 * Milliseconds until the next poll.
 *
 * @param known The block of the last response, or undefined if there is none.
 * @param idleMs The interval when no block is awaited.
 */
export function refetchAfter(known: number | undefined, idleMs: number, now = Date.now()): number {
  const isAwaited = now < awaited.until && known !== undefined && BigInt(known) < awaited.block
  return isAwaited ? 1_000 : idleMs
}
