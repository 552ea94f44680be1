import {
  type Address,
  type ContractEventName,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  hexToString,
  maxUint256,
  numberToHex,
  parseEventLogs,
  type TransactionReceipt,
  trim,
  BaseError as ViemError,
  zeroAddress,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DevnetAccount } from './devnetAccounts.ts'
import { blacklistingTokenAbi } from './generated/blacklistingToken.ts'
import { bundlerAdapterAbi } from './generated/bundlerAdapter.ts'
import { interestRatePoolAbi } from './generated/interestRatePool.ts'
import { quoteMarketAbi } from './generated/quoteMarket.ts'
import { rateAdapterAbi } from './generated/rateAdapter.ts'
import { referenceBundlerAbi } from './generated/referenceBundler.ts'
import { testTokenAbi } from './generated/testToken.ts'
import type { Devnet } from './startDevnet.ts'

/** The contract's `QuoteMarket.Quote` struct. */
export type TestQuote = {
  readonly maker: Address
  readonly taker: Address
  readonly poolId: Hex
  readonly seriesKey: Hex
  readonly notional: bigint
  readonly vrtAmount: bigint
  readonly nonce: bigint
  readonly deadline: bigint
  readonly salt: Hex
}

/** Defined independently, because contract tests must not depend on the library's encoder. */
const quoteTypes = {
  Quote: [
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'poolId', type: 'bytes32' },
    { name: 'seriesKey', type: 'bytes32' },
    { name: 'notional', type: 'uint256' },
    { name: 'vrtAmount', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'salt', type: 'bytes32' },
  ],
} as const

/** All errors that a transaction in the tests can revert with. */
const errorAbi = [
  ...quoteMarketAbi,
  ...interestRatePoolAbi,
  ...rateAdapterAbi,
  ...referenceBundlerAbi,
  ...testTokenAbi,
  ...blacklistingTokenAbi,
  ...bundlerAdapterAbi,
].filter((item) => item.type === 'error')

/** Creates common operations for contract tests. Does not cache chain state. */
export function createTestMaker(devnet: Devnet) {
  const { publicClient, testClient, contracts } = devnet
  const [maker] = devnet.backers
  const [borrower] = devnet.borrowers
  const [pool] = devnet.pools
  const [nearest] = pool.series
  let salts = 0n

  const read = { address: contracts.quoteMarket, abi: quoteMarketAbi } as const

  const now = async (): Promise<bigint> => (await publicClient.getBlock()).timestamp

  /** An executable quote that fixes 250,000 tUSD in the first pool's nearest series for 5,000 tUSD. */
  const quote = async (changes: Partial<TestQuote> = {}): Promise<TestQuote> => ({
    maker: maker.address,
    taker: zeroAddress,
    poolId: pool.poolId,
    seriesKey: nearest?.seriesKey ?? '0x',
    notional: 250_000_000_000n,
    vrtAmount: 5_000_000_000n,
    nonce: 0n,
    deadline: (await now()) + 3_600n,
    salt: numberToHex(++salts, { size: 32 }),
    ...changes,
  })

  const sign = (terms: TestQuote, by: DevnetAccount = maker): Promise<Hex> =>
    privateKeyToAccount(by.privateKey).signTypedData({
      domain: { name: 'QuoteMarket', version: '1', chainId: devnet.chainId, verifyingContract: contracts.quoteMarket },
      types: quoteTypes,
      primaryType: 'Quote',
      message: terms,
    })

  const preview = async (terms: TestQuote, signature: Hex, by: Address = borrower.address) => {
    const [executable, reason, borrowerCost, capacity] = await publicClient.readContract({
      ...read,
      functionName: 'previewTakeQuote',
      args: [terms, signature, by],
    })
    return { executable, reason: hexToString(trim(reason, { dir: 'right' })).replace('\0', ''), borrowerCost, capacity }
  }

  const takeData = (terms: TestQuote, signature: Hex, maxCost = maxUint256): Hex =>
    encodeFunctionData({ abi: quoteMarketAbi, functionName: 'takeQuote', args: [terms, signature, maxCost] })

  /**
   * Sends a transaction and waits for its receipt. Rejects if it would revert. `gas` overrides the estimate, which uses
   * the last block's time.
   */
  const send = async (from: DevnetAccount, to: Address, data: Hex, gas?: bigint): Promise<TransactionReceipt> => {
    const hash = await devnet.walletClient(from).sendTransaction({ to, data, ...(gas !== undefined && { gas }) })
    const receipt = await publicClient.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new ViemError(`Transaction ${hash} was mined but reverted.`)
    return receipt
  }

  const take = async (
    terms: TestQuote,
    signature: Hex,
    { by = borrower, maxCost = maxUint256 }: { by?: DevnetAccount; maxCost?: bigint } = {},
  ) => {
    const receipt = await send(by, contracts.quoteMarket, takeData(terms, signature, maxCost))
    const [opened] = eventsOf(receipt, 'PositionOpened')
    if (opened === undefined) throw new ViemError('No position was opened.')
    return { receipt, positionId: opened.args.positionId }
  }

  /** Returns the error that a call from `from` reverts with, as `Name(arguments)`, with bytes32 values as text. */
  const revertOf = async (from: Address, to: Address, data: Hex): Promise<string> => {
    const failure = await publicClient.call({ account: from, to, data }).then(
      () => undefined,
      (error: unknown) => error,
    )
    return failure === undefined ? 'no revert' : describeRevert(failure)
  }

  const takeRevert = (terms: TestQuote, signature: Hex, by: Address = borrower.address, maxCost = maxUint256) =>
    revertOf(by, contracts.quoteMarket, takeData(terms, signature, maxCost))

  const hashQuote = (terms: TestQuote): Promise<Hex> =>
    publicClient.readContract({ ...read, functionName: 'hashQuote', args: [terms] })

  const balanceOf = (owner: Address): Promise<bigint> =>
    publicClient.readContract({
      address: contracts.loanToken,
      abi: testTokenAbi,
      functionName: 'balanceOf',
      args: [owner],
    })

  /** Mines an empty block at `timestamp` (Unix seconds). */
  const travelTo = async (timestamp: bigint): Promise<void> => {
    await testClient.setNextBlockTimestamp({ timestamp })
    await testClient.mine({ blocks: 1 })
  }

  return {
    maker,
    borrower,
    now,
    quote,
    sign,
    preview,
    take,
    takeRevert,
    revertOf,
    send,
    hashQuote,
    balanceOf,
    travelTo,
  }
}

/** Returns a receipt's events with the given name, from the pool, the quote market and the token. */
export function eventsOf<const name extends ContractEventName<typeof eventAbi>>(
  receipt: TransactionReceipt,
  eventName: name,
) {
  return parseEventLogs({ abi: eventAbi, logs: receipt.logs, eventName })
}

const eventAbi = [...quoteMarketAbi, ...interestRatePoolAbi, ...testTokenAbi] as const

function describeRevert(failure: unknown): string {
  const data = failure instanceof ViemError ? revertData(failure) : undefined
  if (data === undefined) return `unknown: ${String(failure)}`
  const revert = new ContractFunctionRevertedError({ abi: errorAbi, data, functionName: 'call' }).data
  if (revert === undefined) return `unknown: ${data}`
  return `${revert.errorName}(${(revert.args ?? []).map(describeArgument).join(', ')})`
}

function describeArgument(argument: unknown): string {
  const isText =
    typeof argument === 'string' && /^0x(?:[2-7][0-9a-f])+(?:00)+$/.test(argument) && argument.length === 66
  return isText ? hexToString(trim(argument as Hex, { dir: 'right' })) : String(argument)
}

function revertData(failure: ViemError): Hex | undefined {
  const cause = failure.walk((error) => typeof (error as { data?: unknown }).data === 'string')
  return (cause as { data?: Hex } | null)?.data
}
