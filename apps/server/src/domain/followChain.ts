import type { Hex } from 'viem'

/** A block by its number and hash. */
export type ChainPoint = { number: bigint; hash: Hex }

/** What is known when the sync has to decide. */
export type SyncView = {
  /** The newest block whose events are in the store. */
  cursor: ChainPoint | null
  /** The synced blocks that are remembered, lowest first; the last is the cursor. */
  kept: readonly ChainPoint[]
  /** The node's newest block. */
  head: ChainPoint & { parentHash: Hex }
  /** What the node has answered so far: its hashes by block number. */
  answers: ReadonlyMap<bigint, Hex>
  /** The first block that can hold an event. */
  deployBlock: bigint
}

/** What the sync has to do next. */
export type SyncStep =
  /** Ask the node for its block of this number. */
  | { do: 'ask'; number: bigint }
  /** The node has left the synced chain above this block. */
  | { do: 'rollBack'; to: ChainPoint }
  /** The node has left the synced chain below everything that is remembered. */
  | { do: 'resync' }
  /** Read on from this block. */
  | { do: 'follow'; from: bigint }
  /** There is nothing that could be read: the store is as far as the node, or further. */
  | { do: 'wait' }

/**
 * Decides what the sync does next. A node whose newest block is one that was synced is only behind; one that has another
 * block at the same height has left the synced chain, however short its own is.
 */
export function planSync({ cursor, kept, head, answers, deployBlock }: SyncView): SyncStep {
  if (cursor === null) return head.number >= deployBlock ? { do: 'follow', from: deployBlock } : { do: 'wait' }
  const hashOfNode = (number: bigint): Hex | undefined => {
    if (number === head.number) return head.hash
    return number === head.number - 1n ? head.parentHash : answers.get(number)
  }
  const candidates = kept.filter(({ number }) => number <= head.number)
  const newest = candidates.at(-1)
  // So far behind that nothing can be compared.
  if (newest === undefined) return { do: 'wait' }
  const found = hashOfNode(newest.number)
  if (found === undefined) return { do: 'ask', number: newest.number }
  if (found === newest.hash) {
    return head.number > cursor.number ? { do: 'follow', from: cursor.number + 1n } : { do: 'wait' }
  }
  // Where two chains part, they part for good: halving finds the last common block.
  let [common, apart] = [-1, candidates.length - 1]
  while (apart - common > 1) {
    const middle = (common + apart) >> 1
    const candidate = candidates[middle]
    if (candidate === undefined) break
    const hash = hashOfNode(candidate.number)
    if (hash === undefined) return { do: 'ask', number: candidate.number }
    if (hash === candidate.hash) common = middle
    else apart = middle
  }
  const to = candidates[common]
  return to === undefined ? { do: 'resync' } : { do: 'rollBack', to }
}

/** Whether the blocks follow each other, the first of them on `after` when that is given. */
export function isConnected(after: ChainPoint | null, blocks: readonly (ChainPoint & { parentHash: Hex })[]): boolean {
  let last = after
  for (const block of blocks) {
    if (last !== null && (block.number !== last.number + 1n || block.parentHash !== last.hash)) return false
    last = block
  }
  return true
}

/** Whether every event lies in one of the blocks, under that block's hash, and no two in the same place. */
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
