import { type BlockRef, ChainUnavailableError, interestRatePoolAbi, rateAdapterAbi } from '@firmquote/core'
import { readEach, readLatestBlock } from '@firmquote/core/chain'
import {
  type Address,
  type Client,
  createClient,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  isAddressEqual,
} from 'viem'
import type { MakerPosition, PositionReadings, ReportedToken } from '../../domain/positionReport.ts'
import { checkDeployment, type ExpectedContracts } from './checkDeployment.ts'
import { wrapChainErrors } from './rpcFailure.ts'

/** The positions to read, and the contracts' addresses. */
export type MakerPositionsOptions = ExpectedContracts & {
  rpcUrl: string
  maker: Address
  positionIds: readonly bigint[]
}

/** Maximum number of calls per request. */
const callsAtOnce = 500

/**
 * Reads a maker's positions and their settlement indexes from the pool contract as of a single block. Positions of
 * other makers are omitted.
 *
 * @throws {ConfigurationError} if the contracts are wrong.
 * @throws {ChainUnavailableError} if a read fails.
 */
export async function readMakerPositions({
  rpcUrl,
  maker,
  positionIds,
  ...deployment
}: MakerPositionsOptions): Promise<PositionReadings> {
  const client = createClient({ transport: http(rpcUrl) })
  await checkDeployment(client, deployment)
  return wrapChainErrors(async () => {
    const block = await readLatestBlock(client)
    const pool = createPoolReader(client, deployment.interestRatePool, block)
    const all = await pool.positions(positionIds)
    const own = all.filter((position) => isAddressEqual(position.maker, maker))
    const series = await pool.series(unique(own.map(({ seriesKey }) => seriesKey)))
    const pools = await pool.pools(unique(own.map(({ poolId }) => poolId)))
    const positions = own.map(({ seriesKey, poolId, maker: _, openedAt, ...position }): MakerPosition => {
      const [one, market] = [series.get(seriesKey), pools.get(poolId)]
      if (!one || !market) throw unreadable()
      const { loanToken } = market
      const index = one.indexAtExpiry ?? market.index
      return { ...position, seriesKey, poolId, loanToken, openedAt: Number(openedAt), expiry: one.expiry, index }
    })
    const tokens = await pool.tokens(unique(positions.map(({ loanToken }) => loanToken)))
    const { number, timestamp } = block
    return { maker: getAddress(maker), chainId: deployment.chainId, block: { number, timestamp }, tokens, positions }
  })
}

/** Returns a function that reads a pool contract at one block. */
function createPoolReader(client: Client, interestRatePool: Address, block: BlockRef) {
  const call = (address: Address, data: Hex) => ({ address, data })
  const ofPool = (data: Hex) => call(interestRatePool, data)

  /** Returns the results in order. Throws if one is missing. */
  async function readAll(calls: readonly { address: Address; data: Hex }[]): Promise<Hex[]> {
    const answers: Hex[] = []
    for (let start = 0; start < calls.length; start += callsAtOnce) {
      for (const answer of await readEach(client, calls.slice(start, start + callsAtOnce), block)) {
        if (answer === null) throw unreadable()
        answers.push(answer)
      }
    }
    return answers
  }

  return {
    async positions(ids: readonly bigint[]) {
      const functionName = 'positions'
      const abi = interestRatePoolAbi
      const answers = await readAll(ids.map((id) => ofPool(encodeFunctionData({ abi, functionName, args: [id] }))))
      return answers.map((data, at) => {
        const [maker, borrower, openedAt, settled, poolId, seriesKey, notional, cost, indexAtOpen] =
          decodeFunctionResult({ abi, functionName, data })
        const positionId = ids[at] ?? 0n
        return { positionId, maker, borrower, openedAt, settled, poolId, seriesKey, notional, cost, indexAtOpen }
      })
    },

    /** Reads each series' expiry and settlement index. A series' index is null before its expiry. */
    async series(keys: readonly Hex[]): Promise<Map<Hex, { expiry: number; indexAtExpiry: bigint | null }>> {
      const abi = interestRatePoolAbi
      const answers = await readAll(
        keys.map((key) => ofPool(encodeFunctionData({ abi, functionName: 'series', args: [key] }))),
      )
      const found = new Map<Hex, { expiry: number; indexAtExpiry: bigint | null }>()
      for (const [at, data] of answers.entries()) {
        const key = keys[at]
        if (key === undefined) throw unreadable()
        const [, expiry] = decodeFunctionResult({ abi, functionName: 'series', data })
        const indexAtExpiry = expiry <= block.timestamp ? await readIndexAtExpiry(key) : null
        found.set(key, { expiry: Number(expiry), indexAtExpiry })
      }
      return found
    },

    async pools(ids: readonly Hex[]): Promise<Map<Hex, { loanToken: Address; index: bigint }>> {
      const abi = interestRatePoolAbi
      const answers = await readAll(
        ids.map((id) => ofPool(encodeFunctionData({ abi, functionName: 'pools', args: [id] }))),
      )
      const pools = answers.map((data) => decodeFunctionResult({ abi, functionName: 'pools', data }))
      const indexes = await readAll(
        pools.map(([, adapter, market]) =>
          call(adapter, encodeFunctionData({ abi: rateAdapterAbi, functionName: 'index', args: [market] })),
        ),
      )
      return new Map(
        pools.map(([loanToken], at) => {
          const [id, data] = [ids[at], indexes[at]]
          if (id === undefined || data === undefined) throw unreadable()
          return [id, { loanToken, index: decodeFunctionResult({ abi: rateAdapterAbi, functionName: 'index', data }) }]
        }),
      )
    },

    async tokens(addresses: readonly Address[]): Promise<ReportedToken[]> {
      const answers = await readAll(
        addresses.flatMap((address) =>
          (['symbol', 'decimals'] as const).map((functionName) =>
            call(address, encodeFunctionData({ abi: erc20Abi, functionName })),
          ),
        ),
      )
      return addresses.map((address, at) => {
        const [symbol, decimals] = [answers[2 * at], answers[2 * at + 1]]
        if (symbol === undefined || decimals === undefined) throw unreadable()
        return {
          address,
          symbol: decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data: symbol }),
          decimals: decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data: decimals }),
        }
      })
    },
  }

  /**
   * Computes the settlement index with a simulated request that first stores the series' checkpoint, as a settlement in
   * this block would. An existing checkpoint remains unchanged.
   */
  async function readIndexAtExpiry(seriesKey: Hex): Promise<bigint> {
    const abi = interestRatePoolAbi
    const [, data] = await readAll([
      ofPool(encodeFunctionData({ abi, functionName: 'checkpoint', args: [seriesKey] })),
      ofPool(encodeFunctionData({ abi, functionName: 'indexAtExpiry', args: [seriesKey] })),
    ])
    if (data === undefined) throw unreadable()
    return decodeFunctionResult({ abi, functionName: 'indexAtExpiry', data })
  }
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

function unreadable(): ChainUnavailableError {
  return new ChainUnavailableError('The pool contract returned an unexpected result.')
}
