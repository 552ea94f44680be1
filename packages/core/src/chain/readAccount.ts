import { type Address, type Client, encodeFunctionData, type Hex } from 'viem'
import { getBlock } from 'viem/actions'
import { interestRatePoolAbi } from '../abi/interestRatePool.ts'
import { rateAdapterAbi } from '../abi/rateAdapter.ts'
import { ChainUnavailableError } from '../errors.ts'
import type { BlockRef } from '../quote/judgeState.ts'
import type { IndexReading, SeriesIndex } from '../rates/positionPayout.ts'
import {
  type Answers,
  addCall,
  type Call,
  type Calls,
  chunkCalls,
  decodeUint,
  decodeWords,
  readCalls,
} from './aggregate.ts'
import { blockFacts, readUntilAt, wasReadAt } from './blockFacts.ts'
import type { LendingMarket } from './readLendingTerms.ts'
import { type DebtSecurity, type MorphoMarket, readSecurities } from './readSecurities.ts'

/** A series with positions, its market, and the most recently opened position. */
export type OpenedSeries = Pick<LendingMarket, 'adapter' | 'market'> & { seriesKey: Hex; lastPositionId: bigint }

/** The account, the data to read, and the block. */
export type ReadAccountParameters = {
  interestRatePool: Address
  account: Address
  pools: readonly LendingMarket[]
  /** The series whose indexes to read. */
  series: readonly OpenedSeries[]
  block: BlockRef
  /**
   * A cache of markets by pool, to which newly read markets are added. Markets never change. If this cache is given,
   * the collateral for debts is read as well.
   */
  morphoMarkets?: Map<Hex, MorphoMarket | null>
}

/** An account's state at a block, in raw token units, including zeros. */
export type AccountState = {
  /** Debts by pool, including interest up to the block. */
  debts: Map<Hex, bigint>
  /** Collateral for debts by pool, without pools whose collateral could not be read. */
  securities: Map<Hex, DebtSecurity>
  /** Amounts that the account can withdraw, by token. */
  credits: Map<Address, bigint>
  indexes: Map<Hex, SeriesReading>
}

/** The inputs for the payout of a series' positions. `index` is the market's index at the block, in RAY. */
export type SeriesReading = Omit<SeriesIndex, 'expiry'> & { index: bigint }

/**
 * Reads an account's debts and credits, and the indexes of series, at exactly this block. Checks the number, timestamp
 * and parent hash of the block that the node used.
 *
 * @throws {ChainUnavailableError} if a read fails or the node has a different block at this height.
 */
export async function readAccount(
  client: Client,
  { interestRatePool, account, pools, series, block, morphoMarkets }: ReadAccountParameters,
): Promise<AccountState> {
  const calls = new Map<string, Call>()
  const askAdapter = (address: Address, data: Hex) => addCall(calls, { address, data })
  const askPool = (data: Hex) => addCall(calls, { address: interestRatePool, data })
  const debtKeys = pools.map(({ poolId, adapter, market }) => ({
    poolId,
    debt: askAdapter(
      adapter,
      encodeFunctionData({ abi: rateAdapterAbi, functionName: 'debtOf', args: [market, account] }),
    ),
  }))
  const creditKeys = [...new Set(pools.map(({ loanToken }) => loanToken))].map((token) => ({
    token,
    credit: askPool(encodeFunctionData({ abi: interestRatePoolAbi, functionName: 'credits', args: [account, token] })),
  }))
  const seriesKeys = series.map(({ seriesKey, adapter, market, lastPositionId }) => ({
    seriesKey,
    index: askAdapter(adapter, encodeFunctionData({ abi: rateAdapterAbi, functionName: 'index', args: [market] })),
    last: askPool(encodeFunctionData({ abi: interestRatePoolAbi, functionName: 'positions', args: [lastPositionId] })),
    observation: askPool(
      encodeFunctionData({ abi: interestRatePoolAbi, functionName: 'observations', args: [seriesKey] }),
    ),
    checkpoint: askPool(
      encodeFunctionData({ abi: interestRatePoolAbi, functionName: 'checkpoints', args: [seriesKey] }),
    ),
  }))
  try {
    const { found, answers } = await readCallsAt(client, calls, block)
    const debts = new Map(debtKeys.map(({ poolId, debt }) => [poolId, decodeUint(answers.get(debt))]))
    const owed = pools.filter(({ poolId }) => (debts.get(poolId) ?? 0n) > 0n)
    return {
      debts,
      securities: morphoMarkets
        ? await readSecurities(client, { account, pools: owed, block: found, morphoMarkets })
        : new Map(),
      credits: new Map(creditKeys.map(({ token, credit }) => [token, decodeUint(answers.get(credit))])),
      indexes: new Map(
        seriesKeys.map(({ seriesKey, index, last, observation, checkpoint }) => [
          seriesKey,
          {
            index: decodeUint(answers.get(index)),
            lastOpening: openingOf(answers.get(last)),
            observation: readingOf(answers.get(observation)),
            checkpoint: readingOf(answers.get(checkpoint)),
          },
        ]),
      ),
    }
  } catch (cause) {
    if (cause instanceof ChainUnavailableError) throw cause
    throw new ChainUnavailableError('Failed to read the chain.', { cause })
  }
}

function readCallsAt(
  client: Client,
  calls: Calls,
  { number, hash }: BlockRef,
): Promise<{ found: BlockRef & { parentHash: Hex }; answers: Answers }> {
  return readUntilAt(number, async () => {
    const [found, ...parts] = await Promise.all([
      getBlock(client, { blockNumber: number }),
      ...chunkCalls(calls).map((part) => readCalls(client, new Map([...blockFacts, ...part]), number)),
    ])
    const isIt = found.hash === hash && parts.every((part) => wasReadAt(found, part))
    return isIt ? { found, answers: new Map(parts.flatMap((part) => [...part])) } : null
  })
}

function openingOf(answer: Hex | undefined): IndexReading {
  const words = decodeWords(answer, 9)
  return { index: numberOf(words[8]), readAt: numberOf(words[2]) }
}

function readingOf(answer: Hex | undefined): IndexReading | null {
  const [index, readAt] = decodeWords(answer, 2)
  return numberOf(readAt) === 0n ? null : { index: numberOf(index), readAt: numberOf(readAt) }
}

function numberOf(word: string | undefined): bigint {
  return BigInt(`0x${word}`)
}
