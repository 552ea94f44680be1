/** How long after a transaction the service is polled for its block. */
const patienceMs = 30_000

// The last transaction of this page that is in a block. Answers of the service for earlier blocks are outdated.
let awaited = { block: 0n, until: 0 }

/**
 * Polls the service's account data every second until it reaches a block, for at most 30 seconds.
 *
 * @param now Unix milliseconds.
 */
export function awaitBlock(block: bigint, now = Date.now()): void {
  awaited = { block, until: now + patienceMs }
}

/**
 * Milliseconds until the next poll.
 *
 * @param known The block of the last answer, undefined without one.
 * @param idleMs The interval while no block is awaited.
 */
export function refetchAfter(known: number | undefined, idleMs: number, now = Date.now()): number {
  const isAwaited = now < awaited.until && known !== undefined && BigInt(known) < awaited.block
  return isAwaited ? 1_000 : idleMs
}
