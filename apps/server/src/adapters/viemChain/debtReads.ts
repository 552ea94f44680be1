import { ChainUnavailableError, rateAdapterAbi } from '@firmquote/core'
import { readEach } from '@firmquote/core/chain'
import { type Client, encodeFunctionData } from 'viem'
import type { DebtRequest } from '../../ports/chain.ts'

type Waiting = DebtRequest & { resolve(debt: bigint): void; reject(error: unknown): void }

/** Maximum number of debts per request. */
const debtsAtOnce = 100

/**
 * Creates a function that reads debts. Only one request is in flight at a time; the next one covers all debts requested
 * by then. This keeps large numbers of taker proofs from overloading the node.
 */
export function createDebtReads(client: Client): (request: DebtRequest) => Promise<bigint> {
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
      const calls = batch.map(({ pool: { adapter, market }, account }) => ({
        address: adapter,
        data: encodeFunctionData({ abi: rateAdapterAbi, functionName: 'debtOf', args: [market, account] }),
      }))
      const answers = await readEach(client, calls, first.block)
      batch.forEach(({ resolve, reject }, index) => {
        const answer = answers[index]
        // A debt is exactly one 32-byte word in hex. Any other result is invalid.
        if (answer?.length === 66) resolve(BigInt(answer))
        else reject(new ChainUnavailableError("A pool's adapter did not return a debt."))
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
