/** For so long after a transaction the service is asked whether it knows of it. */
const patienceMs = 30_000

// The last transaction of this page that is in a block: what the service says of the account before that block is old.
let awaited = { block: 0n, until: 0 }

/**
 * Has what the service says of accounts asked for every second, until it is of a block or half a minute is over.
 *
 * @param now Unix milliseconds.
 */
export function awaitBlock(block: bigint, now = Date.now()): void {
  awaited = { block, until: now + patienceMs }
}

/**
 * How soon to ask again, in milliseconds.
 *
 * @param known the block of the last answer; undefined without one.
 * @param idleMs how soon where nothing is awaited.
 */
export function refetchAfter(known: number | undefined, idleMs: number, now = Date.now()): number {
  const isAwaited = now < awaited.until && known !== undefined && BigInt(known) < awaited.block
  return isAwaited ? 1_000 : idleMs
}
