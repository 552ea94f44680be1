import { ChainUnavailableError, interestRatePoolAbi, keeperBundlerAbi } from '@firmquote/core'
import { multicall3Address, readEach, readLatestBlock } from '@firmquote/core/chain'
import { settleManyParameters } from '@firmquote/sdk'
import {
  type Account,
  type Address,
  type Client,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  multicall3Abi,
  parseEventLogs,
  TransactionReceiptNotFoundError,
  type Transport,
  zeroAddress,
} from 'viem'
import {
  estimateContractGas,
  getBalance,
  getGasPrice,
  getTransactionCount,
  getTransactionReceipt,
  readContract,
  sendTransaction as submitTransaction,
  writeContract,
} from 'viem/actions'
import { ConfigurationError, TransactionError } from '../../errors.ts'
import type { ChainPosition, PositionChain } from '../../ports/positionChain.ts'
import { readOrRefuse } from './checkDeployment.ts'
import { reasonOf, wrapChainErrors } from './rpcFailure.ts'
import { sendTransaction } from './sendTransaction.ts'
import type { SerialQueue } from './serialQueue.ts'

/** A client for the maker's account, and the contracts' addresses. */
export type PositionChainOptions = {
  client: Client<Transport, undefined, Account>
  quoteMarket: Address
  interestRatePool: Address
  keeperBundler: Address
  inOrder: SerialQueue
}

type Call = { address: Address; data: Hex }
type Pool = { loanToken: Address }

const abi = interestRatePoolAbi
/**
 * Maximum number of calls per request. A multiple of three, so that the three calls of a simulated settlement share one
 * request.
 */
const callsAtOnce = 480
/**
 * Gas per observed series. Fixed, because an estimate from before the expiry is too low: creating a checkpoint costs
 * more than storing a reading. On Morpho, a checkpoint takes 101,000 gas. The rest is for other adapters.
 */
const observationGas = 400_000n

/** Creates a {@link PositionChain} that uses a JSON-RPC node. Reads use the newest block. */
export function createPositionChain({ client, inOrder, ...contracts }: PositionChainOptions): PositionChain {
  const { quoteMarket, interestRatePool, keeperBundler } = contracts
  const { account } = client
  // These values never change. A reorganisation that removes a series also removes its positions.
  const pools = new Map<Hex, Pool>()
  const expiries = new Map<Hex, number>()
  const tokens = new Map<Address, { symbol: string; decimals: number }>()

  /**
   * Returns the results in order, with null for a reverted call. Each call sees the state changes of earlier calls in
   * the same chunk.
   */
  async function readAll(calls: readonly Call[], block: Awaited<ReturnType<typeof readLatestBlock>>) {
    const answers: (Hex | null)[] = []
    for (let start = 0; start < calls.length; start += callsAtOnce) {
      answers.push(...(await readEach(client, calls.slice(start, start + callsAtOnce), block)))
    }
    return answers
  }

  const ofPool = (data: Hex): Call => ({ address: interestRatePool, data })
  const creditCall = (token: Address) =>
    ofPool(encodeFunctionData({ abi, functionName: 'credits', args: [account.address, token] }))

  async function loadPools(ids: readonly Hex[], block: Awaited<ReturnType<typeof readLatestBlock>>): Promise<void> {
    const missing = unique(ids).filter((id) => !pools.has(id))
    const answers = await readAll(
      missing.map((id) => ofPool(encodeFunctionData({ abi, functionName: 'pools', args: [id] }))),
      block,
    )
    for (const [at, data] of answers.entries()) {
      const [loanToken] = decodeFunctionResult({ abi, functionName: 'pools', data: answered(data) })
      const id = missing[at]
      if (id !== undefined && !isAddressEqual(loanToken, zeroAddress)) pools.set(id, { loanToken })
    }
  }

  async function loadExpiries(keys: readonly Hex[], block: Awaited<ReturnType<typeof readLatestBlock>>): Promise<void> {
    const missing = unique(keys).filter((key) => !expiries.has(key))
    const answers = await readAll(
      missing.map((key) => ofPool(encodeFunctionData({ abi, functionName: 'series', args: [key] }))),
      block,
    )
    for (const [at, data] of answers.entries()) {
      const [, expiry] = decodeFunctionResult({ abi, functionName: 'series', data: answered(data) })
      const key = missing[at]
      if (key !== undefined) expiries.set(key, Number(expiry))
    }
  }

  async function loadTokens(addresses: readonly Address[], block: Awaited<ReturnType<typeof readLatestBlock>>) {
    const missing = unique(addresses).filter((address) => !tokens.has(address))
    const answers = await readAll(
      missing.flatMap((address) => [
        { address, data: encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' }) },
        { address, data: encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' }) },
      ]),
      block,
    )
    for (const [at, address] of missing.entries()) {
      const data = answered(answers[2 * at])
      const decimals = decodeFunctionResult({ abi: erc20Abi, functionName: 'decimals', data })
      tokens.set(address, { decimals, symbol: symbolOf(answers[2 * at + 1]) })
    }
  }

  const decimalsOf = (token: Address) => tokens.get(token)?.decimals ?? refuse()

  return {
    async checkKeeper() {
      const bundler = { address: keeperBundler, abi: keeperBundlerAbi, functionName: 'interestRatePool' } as const
      const pool = await readOrRefuse(
        () => readContract(client, bundler),
        `The contract at ${keeperBundler} is not a keeper bundler; correct chain.keeperBundler.`,
      )
      if (isAddressEqual(pool, interestRatePool)) return
      throw new ConfigurationError(
        `The keeper bundler ${keeperBundler} settles positions of ${pool}, not of ${interestRatePool}; correct chain.keeperBundler.`,
      )
    },

    readPositions: (ids) =>
      wrapChainErrors(async () => {
        const block = await readLatestBlock(client)
        const answers = await readAll(
          ids.map((id) => ofPool(encodeFunctionData({ abi, functionName: 'positions', args: [id] }))),
          block,
        )
        const found = answers.flatMap((data, at) => {
          const [maker, borrower, openedAt, settled, poolId, seriesKey, notional] = decodeFunctionResult({
            abi,
            functionName: 'positions',
            data: answered(data),
          })
          const isThere = !isAddressEqual(maker, zeroAddress)
          const position = { maker, borrower, openedAt: Number(openedAt), settled, poolId, seriesKey, notional }
          return isThere ? [{ positionId: ids[at] ?? 0n, ...position }] : []
        })
        await loadPools(
          found.map(({ poolId }) => poolId),
          block,
        )
        await loadExpiries(
          found.map(({ seriesKey }) => seriesKey),
          block,
        )
        const positions = found.map((position): ChainPosition => {
          const [pool, expiry] = [pools.get(position.poolId), expiries.get(position.seriesKey)]
          return pool && expiry !== undefined ? { ...position, loanToken: pool.loanToken, expiry } : refuse()
        })
        return { now: Number(block.timestamp), positions }
      }),

    simulateSettlements: (positions) =>
      wrapChainErrors(async () => {
        const block = await readLatestBlock(client)
        await loadTokens(
          positions.map(({ loanToken }) => loanToken),
          block,
        )
        // Let the contract compute the credit. The simulated call settles one position after another without changing
        // the chain.
        const answers = await readAll(
          positions.flatMap(({ positionId, loanToken }) => [
            creditCall(loanToken),
            ofPool(encodeFunctionData({ abi, functionName: 'settle', args: [positionId] })),
            creditCall(loanToken),
          ]),
          block,
        )
        const credit = (data: Hex | null | undefined) =>
          decodeFunctionResult({ abi, functionName: 'credits', data: answered(data) })
        const settlements = positions.flatMap(({ positionId, loanToken }, at) => {
          if (answers[3 * at + 1] === null) return []
          const freed = credit(answers[3 * at + 2]) - credit(answers[3 * at])
          return [{ positionId, freed, decimals: decimalsOf(loanToken) }]
        })
        return { now: Number(block.timestamp), settlements }
      }),

    async settleMany(ids, maxGas, maxFeePerGas) {
      for (let size = ids.length; size >= 1; size = Math.floor(size / 2)) {
        const call = settleManyParameters({ positionIds: ids.slice(0, size), keeperBundlerAddress: keeperBundler })
        const estimated = await estimateContractGas(client, { ...call, account }).catch((error: unknown) => {
          throw new TransactionError(`Failed to estimate the settlement: ${reasonOf(error)}`)
        })
        const gas = estimated + estimated / 10n
        if (gas > maxGas) continue
        const { transactionHash, logs, gasUsed } = await sendTransaction(client, () =>
          inOrder(() => writeContract(client, { ...call, account, chain: null, gas, maxFeePerGas })),
        )
        const events = parseEventLogs({ abi, logs, eventName: 'PositionSettled' })
        const settled = events.filter(({ address }) => isAddressEqual(address, interestRatePool))
        return { transactionHash, settled: settled.map(({ args }) => args.positionId), gasUsed }
      }
      return null
    },

    readCheckpoints: (seriesKeys) =>
      wrapChainErrors(async () => {
        const block = await readLatestBlock(client)
        const answers = await readAll(
          seriesKeys.map((key) => ofPool(encodeFunctionData({ abi, functionName: 'checkpoints', args: [key] }))),
          block,
        )
        const taken = seriesKeys.filter((_, at) => {
          const [, readAt] = decodeFunctionResult({ abi, functionName: 'checkpoints', data: answered(answers[at]) })
          return readAt > 0n
        })
        return { number: block.number, timestamp: Number(block.timestamp), taken: new Set(taken) }
      }),

    observe(seriesKeys, maxFeePerGas) {
      // One transaction for all series, because series of different pools expire at the same time. A series that
      // reverts does not affect the others.
      const calls = seriesKeys.map((key) => ({
        target: interestRatePool,
        allowFailure: true,
        callData: encodeFunctionData({ abi, functionName: 'observe', args: [key] }),
      }))
      const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
      const gas = observationGas * BigInt(calls.length)
      const transaction = { account, chain: null, to: multicall3Address, data, gas, maxFeePerGas }
      return inOrder(() => submitTransaction(client, transaction)).catch((error: unknown) => {
        throw new TransactionError(`The transaction was not sent: ${reasonOf(error)}`)
      })
    },

    findCheckpoints: (hash) =>
      wrapChainErrors(async () => {
        const receipt = await getTransactionReceipt(client, { hash }).catch((error: unknown) => {
          if (error instanceof TransactionReceiptNotFoundError) return null
          throw error
        })
        const events = parseEventLogs({ abi, logs: receipt?.logs ?? [], eventName: 'SeriesCheckpointed' })
        return events
          .filter(({ address }) => isAddressEqual(address, interestRatePool))
          .map(({ args: { seriesKey, readAt } }) => ({ seriesKey, readAt: Number(readAt) }))
      }),

    readCredits: (loanTokens) =>
      wrapChainErrors(async () => {
        const block = await readLatestBlock(client)
        await loadTokens(loanTokens, block)
        const answers = await readAll(loanTokens.map(creditCall), block)
        return loanTokens.flatMap((loanToken, at) => {
          const amount = decodeFunctionResult({ abi, functionName: 'credits', data: answered(answers[at]) })
          return amount === 0n ? [] : [{ loanToken, decimals: decimalsOf(loanToken), amount }]
        })
      }),

    async withdraw(token, maxFeePerGas) {
      const call = { address: interestRatePool, abi, functionName: 'withdraw', args: [token] } as const
      const { transactionHash } = await sendTransaction(client, () =>
        inOrder(() => writeContract(client, { ...call, account, chain: null, maxFeePerGas })),
      )
      return { transactionHash }
    },

    readGasFunds: () =>
      wrapChainErrors(async () => {
        const { address } = account
        const [gasPrice, balance, mined, all] = await Promise.all([
          getGasPrice(client),
          getBalance(client, { address }),
          getTransactionCount(client, { address, blockTag: 'latest' }),
          getTransactionCount(client, { address, blockTag: 'pending' }),
        ])
        return { gasPrice, balance, isPending: all > mined }
      }),

    readHoldings: (loanTokens) =>
      wrapChainErrors(async () => {
        const block = await readLatestBlock(client)
        await loadTokens(loanTokens, block)
        const { address: maker } = account
        const answers = await readAll(
          loanTokens.flatMap((address) => [
            { address, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [maker] }) },
            {
              address,
              data: encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args: [maker, quoteMarket] }),
            },
          ]),
          block,
        )
        const holdings = loanTokens.map((loanToken, at) => {
          const [balance, allowance] = [answered(answers[2 * at]), answered(answers[2 * at + 1])]
          return {
            loanToken,
            decimals: decimalsOf(loanToken),
            symbol: tokens.get(loanToken)?.symbol ?? '',
            balance: decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: balance }),
            allowance: decodeFunctionResult({ abi: erc20Abi, functionName: 'allowance', data: allowance }),
          }
        })
        return { now: Number(block.timestamp), holdings }
      }),

    readLoanTokens: (poolIds) =>
      wrapChainErrors(async () => {
        await loadPools(poolIds, await readLatestBlock(client))
        return unique(poolIds.flatMap((id) => pools.get(id)?.loanToken ?? []))
      }),
  }
}

/** Returns a symbol that is safe in logs and metrics, or an empty string. */
function symbolOf(data: Hex | null | undefined): string {
  try {
    const symbol = decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data: answered(data) })
    return /^[\w.$-]{1,16}$/.test(symbol) ? symbol : ''
  } catch {
    // Some tokens have a bytes32 symbol or no symbol.
    return ''
  }
}

function answered(data: Hex | null | undefined): Hex {
  return data ?? refuse()
}

function refuse(): never {
  throw new ChainUnavailableError('The contracts returned an unexpected result.')
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
