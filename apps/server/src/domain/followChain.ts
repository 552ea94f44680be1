import type { Hex } from 'viem'

/** A block's number and hash. */
export type ChainPoint = { number: bigint; hash: Hex }

/** The input of {@link planSync}. */
export type SyncView = {
  /** The newest block whose events are in the store; null if the store is empty. */
  cursor: ChainPoint | null
  /** The recent synced blocks, lowest first. The last of these blocks is the cursor. */
  kept: readonly ChainPoint[]
  /** The node's newest block. */
  head: ChainPoint & { parentHash: Hex }
  /** The node's block hashes read so far, by block number. */
  answers: ReadonlyMap<bigint, Hex>
  /** The first block that may contain an event. */
  deployBlock: bigint
}

/** The next step of the sync. */
export type SyncStep =
  /** Read the node's block at this number. */
  | { do: 'readBlock'; number: bigint }
  /** The chains diverge above this block: roll back to it. */
  | { do: 'rollBack'; to: ChainPoint }
  /** The chains diverge below the recent blocks: resync. */
  | { do: 'resync' }
  /** Read events starting at this block. */
  | { do: 'follow'; from: bigint }
  /** Nothing to read: the store has reached or passed the node's head. */
  | { do: 'wait' }

/**
 * Decides the next step of the sync. If the node's head is among the synced blocks, the node is merely lagging. If the
 * node has a different block at the same height, it is on a different branch, even if that branch is shorter.
 */
export function planSync({ cursor, kept, head, answers, deployBlock }: SyncView): SyncStep {
  if (cursor === null) return head.number >= deployBlock ? { do: 'follow', from: deployBlock } : { do: 'wait' }
  const hashOfNode = (number: bigint): Hex | undefined => {
    if (number === head.number) return head.hash
    return number === head.number - 1n ? head.parentHash : answers.get(number)
  }
  const candidates = kept.filter(({ number }) => number <= head.number)
  const newest = candidates.at(-1)
  // The node lags too far behind the store for a comparison.
  if (newest === undefined) return { do: 'wait' }
  const found = hashOfNode(newest.number)
  if (found === undefined) return { do: 'readBlock', number: newest.number }
  if (found === newest.hash) {
    return head.number > cursor.number ? { do: 'follow', from: cursor.number + 1n } : { do: 'wait' }
  }
  // Branches never merge, so bisection finds the last common block.
  let [common, apart] = [-1, candidates.length - 1]
  while (apart - common > 1) {
    const middle = (common + apart) >> 1
    const candidate = candidates[middle]
    if (candidate === undefined) break
    const hash = hashOfNode(candidate.number)
    if (hash === undefined) return { do: 'readBlock', number: candidate.number }
    if (hash === candidate.hash) common = middle
    else apart = middle
  }
  const to = candidates[common]
  return to === undefined ? { do: 'resync' } : { do: 'rollBack', to }
}

/**
 * Whether each block is the child of the previous one. If `after` is not null, it must be the parent of the first
 * block.
 */
export function isConnected(after: ChainPoint | null, blocks: readonly (ChainPoint & { parentHash: Hex })[]): boolean {
  let last = after
  for (const block of blocks) {
    if (last !== null && (block.number !== last.number + 1n || block.parentHash !== last.hash)) return false
    last = block
  }
  return true
}

/** Whether every event belongs to one of the blocks, by number and hash, and no two share a log index. */
export function fitsBlocks(
  events: readonly { blockNumber: bigint; blockHash: Hex; logIndex: number }[],
  blocks: readonly ChainPoint[],
): boolean {
  const hashes = new Map(blocks.map(({ number, hash }) => [number, hash]))
  const places = new Set(events.map(({ blockNumber, logIndex }) => `${blockNumber}:${logIndex}`))
  return (
    places.size === events.length && events.every(({ blockNumber, blockHash }) => hashes.get(blockNumber) === blockHash)
  )
}
