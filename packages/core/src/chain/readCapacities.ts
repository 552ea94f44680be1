import type { Address, Client, Hex } from 'viem'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { addCall, amountOf, type Call, wordOf } from './aggregate.ts'
import { createSharedState, readAtLatestBlock } from './readAtLatestBlock.ts'
import { selectors } from './readQuoteStates.ts'

/** What series can still take, in raw units of their loan tokens, by their keys as they were given. */
export type Capacities = { block: BlockRef; capacities: Map<Hex, bigint> }

/**
 * Reads what series can still take at the newest block, in two requests to the node at the same time. A key without a
 * series has a capacity of zero.
 *
 * @throws {ChainUnavailableError} when anything could not be read.
 */
export async function readCapacities(
  client: Client,
  { interestRatePool, seriesKeys }: { interestRatePool: Address; seriesKeys: readonly Hex[] },
): Promise<Capacities> {
  const calls = new Map<string, Call>()
  const keys = seriesKeys.map((seriesKey) =>
    addCall(calls, { address: interestRatePool, data: `${selectors.capacity}${wordOf(seriesKey)}` }),
  )
  try {
    const { block, answers } = await readAtLatestBlock(client, { own: calls, shared: new Map() }, createSharedState())
    return {
      block,
      capacities: new Map(seriesKeys.map((seriesKey, index) => [seriesKey, amountOf(answers.get(keys[index] ?? ''))])),
    }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('The chain could not be read.', { cause })
  }
}
