import type { Address, Client, Hex } from 'viem'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { addCall, type Call, decodeUint, encodeWord } from './aggregate.ts'
import { createSharedState, readAtLatestBlock } from './readAtLatestBlock.ts'
import { selectors } from './readQuoteStates.ts'

/** Series' remaining capacities, in raw units of their loan tokens, keyed by series key as passed in. */
export type Capacities = { block: BlockRef; capacities: Map<Hex, bigint> }

/**
 * Reads series' remaining capacities at the latest block, in two parallel requests. An unknown series has zero
 * capacity.
 *
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readCapacities(
  client: Client,
  { interestRatePool, seriesKeys }: { interestRatePool: Address; seriesKeys: readonly Hex[] },
): Promise<Capacities> {
  const calls = new Map<string, Call>()
  const keys = seriesKeys.map((seriesKey) =>
    addCall(calls, { address: interestRatePool, data: `${selectors.capacity}${encodeWord(seriesKey)}` }),
  )
  try {
    const { block, answers } = await readAtLatestBlock(client, { own: calls, shared: new Map() }, createSharedState())
    return {
      block,
      capacities: new Map(
        seriesKeys.map((seriesKey, index) => [seriesKey, decodeUint(answers.get(keys[index] ?? ''))]),
      ),
    }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('Failed to read the chain.', { cause })
  }
}
