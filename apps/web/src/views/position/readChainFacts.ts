import { interestRatePoolAbi } from '@firmquote/core'
import type { FixedPosition } from '@firmquote/sdk'
import type { Address, Client, Hex } from 'viem'
import { getBlock, getContractEvents } from 'viem/actions'
import type { ChainFacts } from './positionsCsv.ts'

/** Blocks read at the same time, so that a long history does not exceed the node's rate limit. */
const together = 8

/**
 * Reads the times of positions' openings and settlements, and the transactions that opened them.
 *
 * @throws viem's errors if the node does not respond or lacks a block.
 */
export async function readChainFacts(
  client: Client,
  { interestRatePool, positions }: { interestRatePool: Address; positions: readonly FixedPosition[] },
): Promise<ChainFacts> {
  const times = new Map<bigint, number>()
  const openedBy = new Map<bigint, Hex>()
  const openedIn = new Set(positions.map(({ openedAtBlock }) => openedAtBlock))
  const settledIn = positions.flatMap(({ settlement }) => settlement?.blockNumber ?? [])
  const blocks = [...new Set([...openedIn, ...settledIn])]
  const read = async (block: bigint) => {
    const [{ timestamp }, events] = await Promise.all([
      getBlock(client, { blockNumber: block }),
      openedIn.has(block)
        ? getContractEvents(client, {
            address: interestRatePool,
            abi: interestRatePoolAbi,
            eventName: 'PositionOpened',
            ...{ fromBlock: block, toBlock: block, strict: true },
          })
        : [],
    ])
    times.set(block, Number(timestamp))
    for (const { args, transactionHash } of events) openedBy.set(args.positionId, transactionHash)
  }
  for (let from = 0; from < blocks.length; from += together) {
    await Promise.all(blocks.slice(from, from + together).map(read))
  }
  return { times, openedBy }
}
