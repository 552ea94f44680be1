import { ChainUnavailableError, rateAdapterAbi } from '@firmquote/core'
import { readEach } from '@firmquote/core/chain'
import { type Client, encodeFunctionData } from 'viem'
import type { DebtRequest } from '../../ports/chain.ts'

type Waiting = DebtRequest & { resolve(debt: bigint): void; reject(error: unknown): void }

/** Most debts in one request to the node. */
const debtsAtOnce = 100

/**
 * Creates the reading of debts. One request is under way at a time, for all that have come meanwhile: however many proofs of
 * taker are sent, the node is asked no more often than it answers.
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
        // One word of hex: an adapter that gives anything else has not said what is owed.
        if (answer?.length === 66) resolve(BigInt(answer))
        else reject(new ChainUnavailableError('The adapter of a pool does not give a debt.'))
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
