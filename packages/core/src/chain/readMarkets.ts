import { type Address, type Client, encodeFunctionData, type Hex } from 'viem'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import { addCall, amountOf, type Call, readCalls, wordOf } from './aggregate.ts'
import { type LendingMarket, readCollaterals } from './readCollaterals.ts'
import { readLatestBlock, selectors } from './readQuoteStates.ts'
import { type LoanToken, readTokens } from './readTokens.ts'

/** What a lending market says at one block. */
export type MarketState = {
  pool: LendingMarket
  loanToken: LoanToken
  /** What is put up against its debts; null when there is none, its adapter names none, or it was not read. */
  collateral: LoanToken | null
  /** The floating borrow rate, WAD per second. */
  ratePerSec: bigint
}

/** What to read, and where. */
export type ReadMarketsParameters = {
  interestRatePool: Address
  pools: readonly LendingMarket[]
  /** Series whose remaining capacity is wanted. */
  seriesKeys?: readonly Hex[]
  /** The block to read at; by default the latest. */
  block?: BlockRef
  /** Loan tokens that are known already; what is found is added. */
  tokens?: Map<Address, LoanToken>
  /** Given when the pools' collateral is wanted: what is known already, by pool; what is found is added. */
  collaterals?: Map<Hex, LoanToken | null>
}

/** The block that was read, a state for each pool in their order, and capacities in raw units by series. */
export type MarketStates = { block: BlockRef; markets: MarketState[]; capacities: Map<Hex, bigint> }

/**
 * Reads the floating rates of pools and the capacity of series, at one block and in one multicall.
 *
 * @throws {ChainUnavailableError} when anything could not be read.
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
      addCall(calls, { address: interestRatePool, data: `${selectors.capacity}${wordOf(seriesKey)}` }),
    )
    const answers = await readCalls(client, calls, block.number)
    // Only now: a market that has given its rate is there, so what it does not give now it never will. It is a name and
    // decides nothing: a pool whose collateral cannot be read goes without, until the next reading tries again.
    if (collaterals) await readCollaterals(client, { pools, block, tokens, collaterals }).catch(() => {})
    const amount = (key: string | undefined) => amountOf(answers.get(key ?? ''))
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
    throw new ChainUnavailableError('The chain could not be read.', { cause })
  }
}

function knownToken(tokens: ReadonlyMap<Address, LoanToken>, address: Address): LoanToken {
  const token = tokens.get(address)
  if (token) return token
  throw new ChainUnavailableError(`The loan token ${address} does not give its decimals.`)
}
