import type { Client, Hex } from 'viem'
import { getBlock } from 'viem/actions'
import type { BlockRef } from '../quote/judgeState.ts'
import { type Answers, type Call, type Calls, readCalls } from './aggregate.ts'
import { blockFacts, readUntilAt, wasReadAt } from './blockFacts.ts'

/** Results of reads at one block. Results at a block never change, so later reads at that block reuse them. */
type Snapshot = { blockHash: Hex | null; answers: Map<string, Hex> }

/**
 * A cache of the state that quotes share at the latest block. The cache is valid for one chain and one set of
 * contracts.
 */
export type SharedState = { latest: Snapshot }

/** Creates an empty cache. */
export function createSharedState(): SharedState {
  return { latest: { blockHash: null, answers: new Map() } }
}

/**
 * Maximum number of cached results, which is more than one block needs. Bounds memory use if requests name arbitrary
 * makers while the chain is stalled.
 */
const maxKept = 20_000

/**
 * Reads the latest block and executes the calls in parallel. The results include their block. If a new block arrived in
 * between or two nodes responded, all calls are repeated at that block. If only the cached results are from another
 * block, only those calls are repeated.
 *
 * @param own Calls to execute every time.
 * @param shared Calls to execute only once per block.
 */
export async function readAtLatestBlock(
  client: Client,
  { own, shared }: { own: Calls; shared: Calls },
  state: SharedState,
): Promise<{ block: BlockRef; answers: Answers }> {
  const unread = without(shared, state.latest.answers)
  const [latest, read] = await Promise.all([
    getBlock(client, { blockTag: 'latest' }),
    readCalls(client, new Map([...blockFacts, ...unread, ...own])),
  ])
  const { number, hash, timestamp } = latest
  // Keep this block's snapshot, because a concurrent read may replace it.
  const { answers: kept } = snapshotOf(state, hash)
  const answers = new Map<string, Hex>()
  for (const key of shared.keys()) {
    const answer = kept.get(key)
    if (answer !== undefined) answers.set(key, answer)
  }
  const take = (some: Answers, isOfBlock: boolean) => {
    for (const [key, answer] of some) {
      answers.set(key, answer)
      if (isOfBlock && shared.has(key)) kept.set(key, answer)
    }
  }
  if (wasReadAt(latest, read)) take(read, true)
  const missing = new Map([...without(shared, answers), ...without(own, answers)])
  if (missing.size > 0) {
    const again = await readUntilAt(number, async () => {
      const read = await readCalls(client, new Map([...blockFacts, ...missing]), number)
      // Results from different blocks must not be mixed.
      return answers.size === 0 || wasReadAt(latest, read) ? read : null
    })
    take(again, wasReadAt(latest, again))
  }
  return { block: { number, hash, timestamp }, answers }
}

function snapshotOf(state: SharedState, blockHash: Hex): Snapshot {
  if (state.latest.blockHash !== blockHash || state.latest.answers.size > maxKept) {
    state.latest = { blockHash, answers: new Map() }
  }
  return state.latest
}

function without(calls: Calls, answers: Answers): Map<string, Call> {
  return new Map([...calls].filter(([key]) => !answers.has(key)))
}
