import { type Client, encodeFunctionData, type Hex } from 'viem'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { partsOf } from './aggregate.ts'
import type { LendingMarket } from './readCollaterals.ts'
import { readEachAt } from './readEach.ts'

/**
 * Reads the floating rates of pools at exactly this block, WAD per second, by pool. A pool whose adapter gave none there is left
 * out: its market, or the adapter, was not there yet.
 *
 * @throws {ChainUnavailableError} when the node has another block at its number; what viem throws when it does not answer, or no
 * longer has the state of the block.
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
  for (const part of partsOf(calls)) {
    const answers = await readEachAt(client, [...part.values()], block)
    for (const [index, poolId] of [...part.keys()].entries()) {
      const answer = answers[index]
      // One word of hex: an adapter that gives anything else has not said a rate.
      if (answer?.length === 66) rates.set(poolId as Hex, BigInt(answer))
    }
  }
  return rates
}
