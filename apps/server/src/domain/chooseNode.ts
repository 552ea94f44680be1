import type { Hex } from 'viem'

/**
 * Why a node should not be used: it does not answer in time (`silent`), limits the rate of requests (`limited`), gives
 * invalid answers (`garbage`), answers much later than another node (`slow`), has a newest block too far below another
 * node's (`behind`), has another finalized block than most nodes (`conflicting`), or has not shown that it is on the
 * right chain (`unverified`).
 */
export const nodeFaults = ['silent', 'limited', 'garbage', 'slow', 'behind', 'conflicting', 'unverified'] as const

/** One of {@link nodeFaults}. */
export type NodeFault = (typeof nodeFaults)[number]

/** A node as measured. Times are monotonic, in milliseconds. */
export type NodeView = {
  /** Why the latest call or probe failed; null if it was answered. */
  failure: 'silent' | 'limited' | 'garbage' | 'unverified' | null
  /** The faster of the latest two probes, in milliseconds; null before the first answer. */
  probeMs: number | null
  /** Consecutive probes in which the node was too far behind. */
  probesBehind: number
  /** Whether most nodes have another finalized block. */
  isConflicting: boolean
  /** The time since which every probe found no fault; null if the latest one found one. */
  healthySince: number | null
  /** The time before which a node that was left is not used again, unless no other one works. */
  retryAt: number
}

/** The chosen node's position, and why it replaces the current one; null if it does not. */
export type NodeChoice = { index: number; reason: NodeFault | 'preferred' | null }

/** The newest block of all nodes, and the time at which one as new was shown last. */
export type NewestBlock = { number: bigint; at: number }

/** Number of blocks by which a node may be behind the best other one. */
const maxBlocksBehind = 3n
/** Number of consecutive probes after which a node that is behind is left. */
const probesUntilBehind = 2
/** A probe that takes this long, and this many times as long as another node's, is slow. */
const [slowMs, slowFactor] = [1_000, 2]
/** Milliseconds for which a preferred node must be healthy before it is used again. */
const recoveredMs = 15_000
/** Milliseconds without a block as new as the newest after which the chain has gone back. Two probes take less. */
const wentBackMs = 6_000
const [firstAwayMs, longestAwayMs] = [5_000, 300_000]

/** Returns why a node should not be used, or null. */
export function judgeNode(node: NodeView, nodes: readonly NodeView[]): NodeFault | null {
  if (node.isConflicting) return 'conflicting'
  if (node.failure) return node.failure
  if (node.probesBehind >= probesUntilBehind) return 'behind'
  const { probeMs } = node
  const isFaster = (other: NodeView) =>
    other.failure === null && other.probeMs !== null && probeMs !== null && other.probeMs * slowFactor <= probeMs
  return probeMs !== null && probeMs >= slowMs && nodes.some(isFaster) ? 'slow' : null
}

/**
 * Chooses the node to use. `nodes` are in order of preference. The current one stays until it has a fault and another
 * one has none, or until a preferred one has recovered.
 */
export function chooseNode({
  nodes,
  current,
  now,
}: {
  nodes: readonly NodeView[]
  current: number
  now: number
}): NodeChoice {
  const faults = nodes.map((node) => judgeNode(node, nodes))
  const fault = faults[current] ?? null
  const find = (isFit: (node: NodeView, index: number) => boolean) =>
    nodes.findIndex((node, index) => index !== current && faults[index] === null && isFit(node, index))
  if (fault === null) {
    const index = find(
      ({ healthySince, retryAt }, position) =>
        position < current && now >= retryAt && healthySince !== null && now - healthySince >= recoveredMs,
    )
    return index < 0 ? { index: current, reason: null } : { index, reason: 'preferred' }
  }
  const rested = find(({ retryAt }) => now >= retryAt)
  const index = rested < 0 ? find(() => true) : rested
  return index < 0 ? { index: current, reason: null } : { index, reason: fault }
}

/** Notes a node's block. A lower one becomes the newest only if the chain has gone back. */
export function noteBlock(newest: NewestBlock | null, number: bigint, now: number): NewestBlock {
  return newest && number < newest.number && now - newest.at < wentBackMs ? newest : { number, at: now }
}

/** Whether a block is too far below the newest one. Null is unknown. */
export function isBehind(block: bigint, newest: bigint | null): boolean {
  return newest !== null && newest - block > maxBlocksBehind
}

/** Counts a node's consecutive probes behind the best other node. A probe without an answer does not count. */
export function countBehind(before: number, head: bigint | null, others: readonly (bigint | null)[]): number {
  if (head === null) return before
  return others.some((other) => isBehind(head, other)) ? before + 1 : 0
}

/** Returns the milliseconds for which a node is not used again after it was left for the given time. */
export function awayMs(timesLeft: number): number {
  return Math.min(firstAwayMs * 2 ** (timesLeft - 1), longestAwayMs)
}

/**
 * Compares the nodes' hashes of one finalized block; null if a node did not answer. Returns the nodes that differ from
 * the majority of at least three, or `disagree` if there is none.
 */
export function compareFinalized(hashes: readonly (Hex | null)[]): 'disagree' | readonly number[] {
  const known = hashes.filter((hash) => hash !== null)
  const isAlone = (hash: Hex | null | undefined) => known.every((other) => other === hash)
  if (isAlone(known[0])) return []
  const majority = known.find((hash) => known.filter((other) => other === hash).length * 2 > known.length)
  if (majority === undefined) return 'disagree'
  return hashes.flatMap((hash, index) => (hash !== null && hash !== majority ? [index] : []))
}
