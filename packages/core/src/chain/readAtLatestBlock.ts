import type { Client, Hex } from 'viem'
import { getBlock } from 'viem/actions'
import type { BlockRef } from '../quote/judgeState.ts'
import { type Answers, type Call, type Calls, readCalls } from './aggregate.ts'
import { blockFacts, readUntilAt, wasReadAt } from './blockFacts.ts'

/** What has been read at one block: it never changes, so another reading at the same block need not ask again. */
type Snapshot = { blockHash: Hex | null; answers: Map<string, Hex> }

/** Keeps what quotes have in common of the newest block that was read. For one chain and one set of contracts. */
export type SharedState = { latest: Snapshot }

/** Creates a shared state that holds nothing yet. */
export function createSharedState(): SharedState {
  return { latest: { blockHash: null, answers: new Map() } }
}

/** More than a block brings: requests for the state of any makers, at a block that stays for long, must not fill the memory. */
const mostKept = 20_000

/**
 * Reads the newest block and the calls at the same time. The calls say themselves at which block they were made; what
 * they miss is read at the block that is known: all, when a new one has come in between or two nodes answer, and what was
 * kept of the block before, when there is a new one.
 *
 * @param own are read every time.
 * @param shared are read once a block.
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
  // Another reading may move on while this one waits, so it holds on to its own block's.
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
      // What another block says must not be mixed with what is known of this one.
      return answers.size === 0 || wasReadAt(latest, read) ? read : null
    })
    take(again, wasReadAt(latest, again))
  }
  return { block: { number, hash, timestamp }, answers }
}

function snapshotOf(state: SharedState, blockHash: Hex): Snapshot {
  if (state.latest.blockHash !== blockHash || state.latest.answers.size > mostKept) {
    state.latest = { blockHash, answers: new Map() }
  }
  return state.latest
}

function without(calls: Calls, answers: Answers): Map<string, Call> {
  return new Map([...calls].filter(([key]) => !answers.has(key)))
}
