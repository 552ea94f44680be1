import { ChainUnavailableError, rateAdapterAbi } from '@firmquote/core'
import { readEach } from '@firmquote/core/chain'
import { type Client, encodeFunctionData, type Hex } from 'viem'
import type { DebtReading, DebtRequest } from '../../ports/chain.ts'

type Waiting = DebtRequest & { resolve(reading: DebtReading): void; reject(error: unknown): void }

/** Maximum number of debts per request. */
const debtsAtOnce = 100

/**
 * Creates a function that reads debts and their markets' indexes. Only one request is in flight at a time; the next one
 * covers all debts requested by then. This keeps large numbers of taker proofs from overloading the node.
 */
export function createDebtReads(client: Client): (request: DebtRequest) => Promise<DebtReading> {
  let waiting: Waiting[] = []
  let isRunning = false

  const takeBatch = (): Waiting[] => {
    const number = waiting[0]?.block.number
    const batch = waiting.filter(({ block }) => block.number === number).slice(0, debtsAtOnce)
    const taken = new Set(batch)
    waiting = waiting.filter((one) => !taken.has(one))
    return batch
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
      const answers = (await readEach(client, calls, first.block)).map(wordOf)
      const indexes = new Map(pools.map(({ poolId }, position) => [poolId, answers[position]]))
      batch.forEach(({ pool, resolve, reject }, position) => {
        const index = indexes.get(pool.poolId)
        const debt = answers[pools.length + position]
        if (index !== undefined && debt !== undefined) resolve({ debt, index })
        else reject(new ChainUnavailableError("A pool's adapter did not return a debt or an index."))
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  const run = async () => {
    while (waiting.length > 0) await readBatch(takeBatch())
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
