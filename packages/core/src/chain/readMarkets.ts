import { type Address, type Client, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { multicall } from 'viem/actions'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import { ChainUnavailableError } from '../errors.ts'
import { formatAddress } from '../formats.ts'
import type { BlockRef } from '../judgeState.ts'
import { addCall, amountOf, type Call, multicall3Address, readCalls, wordOf } from './aggregate.ts'
import { readLatestBlock, selectors } from './readQuoteStates.ts'

/** A loan token, as far as it never changes. */
export type LoanToken = { address: Address; symbol: string; decimals: number }

/** A pool's place in its lending protocol. */
export type LendingMarket = { poolId: Hex; loanToken: Address; adapter: Address; market: Hex }

/** What a lending market says at one block. */
export type MarketState = {
  pool: LendingMarket
  loanToken: LoanToken
  /** The floating borrow rate, WAD per second. */
  ratePerSec: bigint
  /** What the account owes there with the interest up to the block, in raw units; zero when no account was asked for. */
  debt: bigint
}

/** What to read, and where. */
export type ReadMarketsParameters = {
  interestRatePool: Address
  pools: readonly LendingMarket[]
  /** Series whose remaining capacity is wanted. */
  seriesKeys?: readonly Hex[]
  /** Whose debts are wanted. */
  account?: Address
  /** The block to read at; by default the latest. */
  block?: BlockRef
  /** Loan tokens that are known already; what is found is added. */
  tokens?: Map<Address, LoanToken>
}

/** The block that was read, a state for each pool in their order, and capacities in raw units by series. */
export type MarketStates = { block: BlockRef; markets: MarketState[]; capacities: Map<Hex, bigint> }

/**
 * Reads the floating rates of pools, the capacity of series and an account's debts, at one block and in one multicall.
 *
 * @throws {ChainUnavailableError} when anything could not be read.
 */
export async function readMarkets(client: Client, parameters: ReadMarketsParameters): Promise<MarketStates> {
  const { interestRatePool, pools, seriesKeys = [], account, tokens = new Map<Address, LoanToken>() } = parameters
  try {
    const block = parameters.block ?? (await readLatestBlock(client))
    await readTokens(client, { pools, block, tokens })
    const calls = new Map<string, Call>()
    const keys = pools.map(({ adapter, market }) => ({
      rate: addCall(calls, {
        address: adapter,
        data: encodeFunctionData({ abi: rateAdapterAbi, functionName: 'ratePerSec', args: [market] }),
      }),
      debt: account
        ? addCall(calls, {
            address: adapter,
            data: encodeFunctionData({ abi: rateAdapterAbi, functionName: 'debtOf', args: [market, account] }),
          })
        : null,
    }))
    const capacityKeys = seriesKeys.map((seriesKey) =>
      addCall(calls, { address: interestRatePool, data: `${selectors.capacity}${wordOf(seriesKey)}` }),
    )
    const answers = await readCalls(client, calls, block.number)
    const amount = (key: string | null | undefined) => (typeof key === 'string' ? amountOf(answers.get(key)) : 0n)
    return {
      block,
      markets: pools.map((pool, index) => ({
        pool,
        loanToken: knownToken(tokens, pool.loanToken),
        ratePerSec: amount(keys[index]?.rate),
        debt: amount(keys[index]?.debt),
      })),
      capacities: new Map(seriesKeys.map((seriesKey, index) => [seriesKey, amount(capacityKeys[index])])),
    }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('The chain could not be read.', { cause })
  }
}

async function readTokens(
  client: Client,
  { pools, block, tokens }: { pools: readonly LendingMarket[]; block: BlockRef; tokens: Map<Address, LoanToken> },
): Promise<void> {
  const unknown = [...new Set(pools.map(({ loanToken }) => loanToken))].filter((address) => !tokens.has(address))
  if (unknown.length === 0) return
  const answers = await multicall(client, {
    contracts: unknown.flatMap((address) => [
      { address, abi: erc20Abi, functionName: 'symbol' } as const,
      { address, abi: erc20Abi, functionName: 'decimals' } as const,
    ]),
    batchSize: 0,
    blockNumber: block.number,
    multicallAddress: multicall3Address,
  })
  unknown.forEach((address, index) => {
    const [symbol, decimals] = [answers[index * 2], answers[index * 2 + 1]]
    // Some old tokens have a symbol that is no string. Without decimals, though, no amount means anything.
    if (typeof decimals?.result !== 'number')
      throw new ChainUnavailableError(`The loan token ${address} does not tell its decimals.`)
    const text = typeof symbol?.result === 'string' ? symbol.result : formatAddress(address)
    tokens.set(address, { address, symbol: text, decimals: decimals.result })
  })
}

function knownToken(tokens: ReadonlyMap<Address, LoanToken>, address: Address): LoanToken {
  const token = tokens.get(address)
  if (token) return token
  throw new ChainUnavailableError(`The loan token ${address} could not be read.`)
}
