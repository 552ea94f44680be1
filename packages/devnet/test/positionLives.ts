import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  hexToString,
  maxUint256,
  numberToHex,
  type RpcTransactionReceipt,
  trim,
  zeroAddress,
} from 'viem'
import { createTestPool, deployContract } from '../src/createTestPool.ts'
import { devnetMarkets, seriesCap, seriesKeyOf } from '../src/devnetMarkets.ts'
import { blacklistingTokenAbi, blacklistingTokenBytecode } from '../src/generated/blacklistingToken.ts'
import { feeTokenAbi, feeTokenBytecode } from '../src/generated/feeToken.ts'
import { interestRatePoolAbi } from '../src/generated/interestRatePool.ts'
import { noReturnTokenAbi, noReturnTokenBytecode } from '../src/generated/noReturnToken.ts'
import { quoteMarketAbi } from '../src/generated/quoteMarket.ts'
import { settableRateAdapterAbi } from '../src/generated/settableRateAdapter.ts'
import { testTokenAbi } from '../src/generated/testToken.ts'
import { createSyncClient } from '../src/sendTransactions.ts'
import type { Devnet } from '../src/startDevnet.ts'
import { createTestMaker, eventsOf } from '../src/testMaker.ts'

/** Tokens used in the lives. One token blocks accounts, one returns no values, and one charges fees. */
export const tokenKinds = ['blacklisting', 'noReturn', 'fee'] as const
export type TokenKind = (typeof tokenKinds)[number]

/** A series for positions. Without an `adapter`, the series uses Morpho's index, which grows over time. */
export type LifeMarket = {
  readonly token: TokenKind
  readonly poolId: Hex
  readonly seriesKey: Hex
  readonly expiry: bigint
  readonly adapter: Address | null
}

/** The outcome of a transaction. `error` is the error's name with the market's reason, or null. */
export type Outcome = { readonly error: string | null; readonly receipt: RpcTransactionReceipt; readonly time: bigint }

/** A token's on-chain state, with all values that the model tracks. */
export type Holding = { owed: bigint; held: bigint; credits: readonly bigint[]; balances: readonly bigint[] }

/** Each account's initial balance in each token. */
export const startBalance = 10n ** 15n

const abi = [
  ...interestRatePoolAbi,
  ...quoteMarketAbi,
  ...settableRateAdapterAbi,
  ...testTokenAbi,
  ...blacklistingTokenAbi,
  ...feeTokenAbi,
] as const

/** Encodes a call to any of the contracts used in the lives. */
function encode<const name extends ContractFunctionName<typeof abi, 'nonpayable'>>(
  functionName: name,
  args: ContractFunctionArgs<typeof abi, 'nonpayable', name>,
): Hex {
  return encodeFunctionData({ abi, functionName, args } as never)
}

const gas = '0x2dc6c0' as const

/** Deploys the contracts used in the lives and returns operations on them. Transactions are one second apart. */
export async function createStage(devnet: Devnet) {
  const { publicClient, testClient, contracts, backers, borrowers, deployer, rpcUrl } = devnet
  const testMaker = createTestMaker(devnet)
  const sync = createSyncClient(rpcUrl)
  let salts = 0n
  const accounts = [backers[0], backers[1], borrowers[0], borrowers[1]] as const

  const tokens: Record<TokenKind, Address> = {
    blacklisting: await deployContract(devnet, { abi: blacklistingTokenAbi, bytecode: blacklistingTokenBytecode }),
    noReturn: await deployContract(devnet, { abi: noReturnTokenAbi, bytecode: noReturnTokenBytecode }),
    fee: await deployContract(devnet, { abi: feeTokenAbi, bytecode: feeTokenBytecode }),
  }
  for (const token of Object.values(tokens)) {
    for (const account of accounts) {
      await testMaker.send(account, token, encode('mint', [account.address, startBalance]))
      await testMaker.send(account, token, encode('approve', [contracts.quoteMarket, maxUint256]))
    }
  }

  const first = await createTestPool(devnet, tokens.blacklisting, 600n)
  const last = await createTestPool(devnet, tokens.fee, 900n)
  const createSeries = async (poolId: Hex, term: bigint) => {
    const expiry = (await testMaker.now()) + term
    await testMaker.send(deployer, contracts.interestRatePool, encode('createSeries', [poolId, expiry, seriesCap]))
    return { poolId, expiry, seriesKey: seriesKeyOf(poolId, Number(expiry)) }
  }
  // The adapter ignores that the Morpho market's token differs from the pool's.
  const onMorpho = encode('createPool', [tokens.noReturn, contracts.morphoAdapter, devnetMarkets[0].market])
  const created = await testMaker.send(deployer, contracts.interestRatePool, onMorpho)
  const morphoPoolId = eventsOf(created, 'PoolCreated')[0]?.args.poolId ?? '0x'
  const markets: readonly LifeMarket[] = [
    { ...first, token: 'blacklisting' },
    { ...(await createSeries(first.poolId, 1_500n)), token: 'blacklisting', adapter: first.adapter },
    { ...(await createSeries(morphoPoolId, 700n)), token: 'noReturn', adapter: null },
    { ...last, token: 'fee' },
  ]

  /** Sends a transaction at `time`. Returns the error if the transaction reverted when mined. */
  const transact = async (time: bigint, from: Address, to: Address, data: Hex): Promise<Outcome> => {
    await testClient.setNextBlockTimestamp({ timestamp: time })
    const sent = await sync.request({ method: 'eth_sendTransactionSync', params: [{ from, to, data, gas }] })
    const receipt = sent as unknown as RpcTransactionReceipt
    return { error: receipt.status === '0x1' ? null : await readError(receipt.transactionHash), receipt, time }
  }

  const readError = async (hash: Hex): Promise<string> => {
    const params = [hash, { tracer: 'callTracer' }]
    const trace = await publicClient.request<{ ReturnType: { output: Hex }; Parameters: unknown }>({
      method: 'debug_traceTransaction' as never,
      params: params as never,
    })
    const { errorName, args } = decodeErrorResult({ abi, data: trace.output })
    if (errorName !== 'QuoteNotExecutable') return errorName
    return hexToString(trim(args[0], { dir: 'right' }))
  }

  const readHolding = async (kind: TokenKind): Promise<Holding> => {
    const token = tokens[kind]
    const pool = contracts.interestRatePool
    const balances = [pool, ...accounts.map(({ address }) => address)].map(
      (account) => ({ abi, address: token, functionName: 'balanceOf', args: [account] }) as const,
    )
    const credits = accounts.map(
      ({ address }) => ({ abi, address: pool, functionName: 'credits', args: [address, token] }) as const,
    )
    const owed = { abi, address: pool, functionName: 'owed', args: [token] } as const
    const reads = [owed, ...balances, ...credits]
    const values = (await publicClient.multicall({ contracts: reads, allowFailure: false })) as bigint[]
    const [ofOwed = 0n, held = 0n, ...rest] = values
    return { owed: ofOwed, held, balances: rest.slice(0, accounts.length), credits: rest.slice(accounts.length) }
  }

  const toPool = (time: bigint, from: Address, data: Hex) => transact(time, from, contracts.interestRatePool, data)

  return {
    accounts,
    markets,
    tokens,
    readHolding,
    now: testMaker.now,
    /** Takes a quote, either as the borrower or as the borrower's operator. */
    async take(
      time: bigint,
      terms: { market: LifeMarket; maker: number; borrower: number; notional: bigint; vrtAmount: bigint },
      operator: Address | null,
    ): Promise<Outcome> {
      const { market, notional, vrtAmount } = terms
      const maker = accounts[terms.maker] ?? accounts[0]
      const borrower = (accounts[terms.borrower] ?? accounts[2]).address
      const { poolId, seriesKey } = market
      const salt = numberToHex(++salts, { size: 32 })
      const open = { maker: maker.address, taker: zeroAddress, nonce: 0n, deadline: maxUint256, salt }
      const quote = { ...open, poolId, seriesKey, notional, vrtAmount }
      const signature = await testMaker.sign(quote, maker)
      const data = operator
        ? encode('takeQuoteFor', [quote, signature, vrtAmount, borrower])
        : encode('takeQuote', [quote, signature, vrtAmount])
      return transact(time, operator ?? borrower, contracts.quoteMarket, data)
    },
    setOperator: (time: bigint, owner: Address, operator: Address, approved: boolean) =>
      toPool(time, owner, encode('setOperator', [operator, approved])),
    observe: (time: bigint, from: Address, seriesKey: Hex) => toPool(time, from, encode('observe', [seriesKey])),
    checkpoint: (time: bigint, from: Address, seriesKey: Hex) => toPool(time, from, encode('checkpoint', [seriesKey])),
    settle: (time: bigint, from: Address, positionId: bigint) => toPool(time, from, encode('settle', [positionId])),
    withdraw(time: bigint, from: Address, account: Address, kind: TokenKind): Promise<Outcome> {
      const token = tokens[kind]
      return toPool(
        time,
        from,
        from === account ? encode('withdraw', [token]) : encode('withdrawFor', [account, token]),
      )
    },
    setIndex: (time: bigint, adapter: Address, index: bigint) =>
      transact(time, deployer.address, adapter, encode('setIndex', [index])),
    setBlacklisted: (time: bigint, account: Address, listed: boolean) =>
      transact(time, deployer.address, tokens.blacklisting, encode('setBlacklisted', [account, listed])),
    /** Sets the fees, in millionths. */
    setFees: (time: bigint, ofReceiver: bigint, ofSender: bigint) =>
      transact(time, deployer.address, tokens.fee, encode('setFees', [ofReceiver, ofSender])),
  }
}

/** Operations on the contracts used in the lives. */
export type Stage = Awaited<ReturnType<typeof createStage>>
