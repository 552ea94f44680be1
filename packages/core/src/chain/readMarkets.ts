import { type Address, type Client, encodeFunctionData, type Hex } from 'viem'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { addCall, type Call, decodeUint, encodeWord, readCalls } from './aggregate.ts'
import {
  type LendingMarket,
  type LendingTerms,
  readLendingTerms,
  stateCall,
  utilizationOf,
} from './readLendingTerms.ts'
import { readLatestBlock, selectors } from './readQuoteStates.ts'
import { type LoanToken, readTokens } from './readTokens.ts'

/** A lending market's state at one block. */
export type MarketState = {
  pool: LendingMarket
  loanToken: LoanToken
  /** The collateral token. Null if the market has no collateral, the adapter does not report it, or it was not read. */
  collateral: LoanToken | null
  /** The market's limit of debt to collateral, in WAD. Null in the same cases as `collateral`. */
  lltv: bigint | null
  /** The share of the supply that is borrowed, in percent. Null in the same cases as `collateral`. */
  utilization: number | null
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
   * A cache of lending terms by pool, to which newly read terms are added. If this cache is given, the pools' terms and
   * utilization are read as well.
   */
  terms?: Map<Hex, LendingTerms | null>
}

/** The block, the pools' states in order, and capacities in raw units by series. */
export type MarketStates = { block: BlockRef; markets: MarketState[]; capacities: Map<Hex, bigint> }

/**
 * Reads pools' floating rates and series' capacities at one block, in one multicall.
 *
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readMarkets(client: Client, parameters: ReadMarketsParameters): Promise<MarketStates> {
  const { interestRatePool, pools, seriesKeys = [], terms } = parameters
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
    const stateKeys = pools.map(({ poolId, market }) => {
      const known = terms?.get(poolId)
      return known ? addCall(calls, stateCall(known.morpho, market)) : undefined
    })
    const answers = await readCalls(client, calls, block.number)
    // Read terms after the rates. A market that has a rate exists, so a null result is final. Terms are only used for
    // display. If a pool's terms cannot be read, the pool is shown without them until the next read.
    const first = terms && (await readLendingTerms(client, { pools, block, tokens, terms }).catch(() => null))
    const amount = (key: string | undefined) => decodeUint(answers.get(key ?? ''))
    return {
      block,
      markets: pools.map((pool, index) => ({
        pool,
        loanToken: knownToken(tokens, pool.loanToken),
        collateral: terms?.get(pool.poolId)?.collateral ?? null,
        lltv: terms?.get(pool.poolId)?.lltv ?? null,
        utilization: first?.get(pool.poolId) ?? utilizationOf(answers.get(stateKeys[index] ?? '')),
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
