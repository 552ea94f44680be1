import { rateAdapterAbi } from '@firmquote/core'
import { readEach, readEachAt } from '@firmquote/core/chain'
import { type Client, encodeFunctionData, type Hex } from 'viem'
import type { DebtReading, DebtRequest } from '../../ports/chain.ts'

type Waiting = DebtRequest & { resolve(reading: DebtReading | null): void; reject(error: unknown): void }

/** Maximum number of debts per request. */
const debtsAtOnce = 100

/**
 * Creates a function that reads debts and their markets' indexes. At most one request for each block is in flight; the
 * next ones cover all debts requested by then. This keeps large numbers of taker proofs from overloading the node.
 */
export function createDebtReads(client: Client): (request: DebtRequest) => Promise<DebtReading | null> {
  let waiting: Waiting[] = []
  let isRunning = false

  /** Takes the waiting debts, up to the maximum for each block. */
  const takeBatches = (): Waiting[][] => {
    const batches = new Map<string, Waiting[]>()
    const left: Waiting[] = []
    for (const one of waiting) {
      const { number, parentHash } = one.block
      const key = `${number} ${parentHash}`
      const batch = batches.get(key) ?? []
      batches.set(key, batch)
      if (batch.length < debtsAtOnce) batch.push(one)
      else left.push(one)
    }
    waiting = left
    return [...batches.values()]
  }

  const readBatch = async (batch: readonly Waiting[]) => {
    const [first] = batch
    if (!first) return
    try {
      const pools = [...new Map(batch.map(({ pool }) => [pool.poolId, pool])).values()]
      const calls = [
        ...pools.map(({ adapter, market }) => ({
          address: adapter,
          data: encodeFunctionData({ abi: rateAdapterAbi, functionName: 'index', args: [market] }),
        })),
        ...batch.map(({ pool: { adapter, market }, account }) => ({
          address: adapter,
          data: encodeFunctionData({ abi: rateAdapterAbi, functionName: 'debtOf', args: [market, account] }),
        })),
      ]
      const { number, parentHash } = first.block
      const read = parentHash ? readEachAt(client, calls, { number, parentHash }) : readEach(client, calls, { number })
      const answers = (await read).map(wordOf)
      const indexes = new Map(pools.map(({ poolId }, position) => [poolId, answers[position]]))
      batch.forEach(({ pool, resolve }, position) => {
        const index = indexes.get(pool.poolId)
        const debt = answers[pools.length + position]
        resolve(index === undefined || debt === undefined ? null : { debt, index })
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const run = async () => {
    while (waiting.length > 0) await Promise.all(takeBatches().map(readBatch))
    isRunning = false
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...request, resolve, reject })
      if (isRunning) return
      isRunning = true
      setImmediate(() => void run())
    })
}

/** Returns undefined unless the answer is exactly one 32-byte word in hex. */
function wordOf(answer: Hex | null): bigint | undefined {
  return answer?.length === 66 ? BigInt(answer) : undefined
}
