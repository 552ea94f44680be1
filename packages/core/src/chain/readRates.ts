import { type Client, encodeFunctionData, type Hex } from 'viem'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { chunkCalls } from './aggregate.ts'
import { readEachAt } from './readEach.ts'
import type { LendingMarket } from './readLendingTerms.ts'

/**
 * Reads pools' floating rates at exactly this block, in WAD per second, by pool. Omits pools whose market or adapter
 * did not exist at that block.
 *
 * @throws {ChainUnavailableError} if the node has a different block at this height.
 * @throws viem's error if the node does not respond or has pruned the block's state.
 */
export async function readRates(
  client: Client,
  { pools, block }: { pools: readonly LendingMarket[]; block: BlockRef & { parentHash: Hex } },
): Promise<Map<Hex, bigint>> {
  const rates = new Map<Hex, bigint>()
  const calls = new Map(
    pools.map(({ poolId, adapter, market }) => [
      poolId,
      {
        address: adapter,
        data: encodeFunctionData({ abi: rateAdapterAbi, functionName: 'ratePerSec', args: [market] }),
      },
    ]),
  )
  for (const part of chunkCalls(calls)) {
    const answers = await readEachAt(client, [...part.values()], block)
    for (const [index, poolId] of [...part.keys()].entries()) {
      const answer = answers[index]
      // A rate is one word. Ignore any other result.
      if (answer?.length === 66) rates.set(poolId as Hex, BigInt(answer))
    }
  }
  return rates
}
