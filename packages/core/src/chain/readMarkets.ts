import { type Address, type Client, encodeFunctionData, type Hex } from 'viem'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { addCall, type Call, decodeUint, encodeWord, readCalls } from './aggregate.ts'
import { type LendingMarket, readCollaterals } from './readCollaterals.ts'
import { readLatestBlock, selectors } from './readQuoteStates.ts'
import { type LoanToken, readTokens } from './readTokens.ts'

/** A lending market's state at one block. */
export type MarketState = {
  pool: LendingMarket
  loanToken: LoanToken
  /** The collateral token. Null if the market has no collateral, the adapter does not report it, or it was not read. */
  collateral: LoanToken | null
  /** The floating borrow rate, WAD per second. */
  ratePerSec: bigint
}

/** The pools and series to read, and the block. */
export type ReadMarketsParameters = {
  interestRatePool: Address
  pools: readonly LendingMarket[]
  /** The series whose remaining capacity to read. */
  seriesKeys?: readonly Hex[]
  /** The block to read at. Default: the latest. */
  block?: BlockRef
  /** A cache of loan tokens, to which newly read tokens are added. */
  tokens?: Map<Address, LoanToken>
  /**
   * A cache of collateral by pool, to which newly read collateral is added. If this cache is given, the pools'
   * collateral is read as well.
   */
  collaterals?: Map<Hex, LoanToken | null>
}

/** The block, the pools' states in order, and capacities in raw units by series. */
export type MarketStates = { block: BlockRef; markets: MarketState[]; capacities: Map<Hex, bigint> }

/**
 * Reads pools' floating rates and series' capacities at one block, in one multicall.
 *
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readMarkets(client: Client, parameters: ReadMarketsParameters): Promise<MarketStates> {
  const { interestRatePool, pools, seriesKeys = [], collaterals } = parameters
  const tokens = parameters.tokens ?? new Map<Address, LoanToken>()
  try {
    const block = parameters.block ?? (await readLatestBlock(client))
    await readTokens(client, { addresses: pools.map(({ loanToken }) => loanToken), block, tokens })
    const calls = new Map<string, Call>()
    const rateKeys = pools.map(({ adapter, market }) =>
      addCall(calls, {
        address: adapter,
        data: encodeFunctionData({ abi: rateAdapterAbi, functionName: 'ratePerSec', args: [market] }),
      }),
    )
    const capacityKeys = seriesKeys.map((seriesKey) =>
      addCall(calls, { address: interestRatePool, data: `${selectors.capacity}${encodeWord(seriesKey)}` }),
    )
    const answers = await readCalls(client, calls, block.number)
    // Read collateral after the rates. A market that has a rate exists, so a null result is final. Collateral is only
    // used for display. If a pool's collateral cannot be read, the pool is shown without it until the next read.
    if (collaterals) await readCollaterals(client, { pools, block, tokens, collaterals }).catch(() => {})
    const amount = (key: string | undefined) => decodeUint(answers.get(key ?? ''))
    return {
      block,
      markets: pools.map((pool, index) => ({
        pool,
        loanToken: knownToken(tokens, pool.loanToken),
        collateral: collaterals?.get(pool.poolId) ?? null,
        ratePerSec: amount(rateKeys[index]),
      })),
      capacities: new Map(seriesKeys.map((seriesKey, index) => [seriesKey, amount(capacityKeys[index])])),
    }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('Failed to read the chain.', { cause })
  }
}

function knownToken(tokens: ReadonlyMap<Address, LoanToken>, address: Address): LoanToken {
  const token = tokens.get(address)
  if (token) return token
  throw new ChainUnavailableError(`The loan token ${address} does not return its decimals.`)
}
