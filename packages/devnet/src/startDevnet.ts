import {
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type Hex,
  type HttpTransport,
  http,
  type PrivateKeyAccount,
  type PublicClient,
  type TestClient,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { batchAccountCode } from './createBatchWallet.ts'
import { createMarketTransactions, deployTransactions, openPoolTransactions } from './deployContracts.ts'
import { backers, borrowers, type DevnetAccount, deployer, newcomers } from './devnetAccounts.ts'
import { type DevnetContracts, devnetAddresses } from './devnetAddresses.ts'
import { DevnetError } from './devnetError.ts'
import { devnetMarkets, seriesDays, seriesExpiry, seriesKeyOf } from './devnetMarkets.ts'
import { referenceBundlerDeployedBytecode } from './generated/referenceBundler.ts'
import { referenceMulticallDeployedBytecode } from './generated/referenceMulticall.ts'
import { advanceMonths, pastTimes } from './pastRates.ts'
import { seedTransactions } from './seedAccounts.ts'
import { sendTransactions } from './sendTransactions.ts'
import { setOraclePrice } from './setOraclePrice.ts'
import { type AnvilOptions, startAnvil } from './startAnvil.ts'

/** Options for a devnet. All are optional. */
export type DevnetOptions = {
  /** The JSON-RPC port on 127.0.0.1. If the port is omitted or 0, a free port is chosen. */
  readonly port?: number
  /** Default 8453. */
  readonly chainId?: number
  /**
   * Seconds between blocks. Without a block time, blocks are mined only for transactions, which are always mined
   * immediately.
   */
  readonly blockTime?: number
  /**
   * The only origin whose pages may use the node from a browser, such as `http://localhost:3005`, besides the pages that
   * this machine serves. Default: all origins.
   */
  readonly allowOrigin?: string
  /**
   * Number of days of lending and borrowing at changing floating rates to simulate, at most 1,000. Default: none.
   * Simulating a year takes about three seconds.
   */
  readonly historyDays?: number
}

/** A series of a pool. `expiry` is in Unix seconds, at 00:00 UTC. */
export type DevnetSeries = { readonly seriesKey: Hex; readonly expiry: number }

/** A pool with its series, nearest expiry first. `market` is the Morpho market's id. */
export type DevnetPool = {
  readonly poolId: Hex
  readonly name: string
  readonly market: Hex
  readonly series: readonly DevnetSeries[]
}

/** A running devnet. */
export type Devnet = {
  readonly rpcUrl: string
  readonly chainId: number
  readonly contracts: DevnetContracts
  readonly pools: readonly [DevnetPool, DevnetPool]
  /** anvil account 0, which owns the contracts and lends on Morpho. */
  readonly deployer: DevnetAccount
  /** anvil accounts 1-3, with tUSD and an allowance for the quote market. */
  readonly backers: typeof backers
  /** anvil accounts 4-6, with Morpho debt, tUSD, and an allowance and operator permission for the quote market. */
  readonly borrowers: typeof borrowers
  /**
   * Accounts 10-13 of anvil's mnemonic, with Morpho debt and tUSD, but no allowances or permissions. The second account
   * supports atomic batches.
   */
  readonly newcomers: typeof newcomers
  readonly publicClient: PublicClient<HttpTransport, Chain>
  readonly testClient: TestClient<'anvil', HttpTransport, Chain>
  /**
   * Sets the price of a market's oracle and mines the first block with that price. `price` is a decimal string, in
   * whole loan tokens per whole collateral token.
   */
  setPrice(market: Hex, price: string): Promise<void>
  /** Creates a wallet client that signs with the account's key. */
  walletClient(account: DevnetAccount): WalletClient<HttpTransport, Chain, PrivateKeyAccount>
  /** Resolves when the chain's process has exited. */
  readonly exited: Promise<void>
  /** Stops the chain and waits for it to exit. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts a local chain with the reference contracts on the real Morpho Blue, two pools, and funded backers, borrowers
 * and newcomers. Contract addresses are the same on every run.
 *
 * @throws {DevnetError} if an option is out of range, the port is in use, or anvil cannot run. No process is left
 * running.
 */
export async function startDevnet(options: DevnetOptions = {}): Promise<Devnet> {
  const anvilOptions = checkOptions(options)
  const { historyDays = 0 } = options
  const times = historyDays === 0 ? [] : pastTimes(Math.floor(Date.now() / 1_000), historyDays)
  const [firstTime] = times
  const anvil = await startAnvil({
    ...anvilOptions,
    // Start the chain an hour in the past, which leaves ample time for the deployment.
    ...(firstTime !== undefined && { genesisTime: firstTime - 3_600 }),
  })
  try {
    const chain = devnetChain(anvilOptions.chainId, anvil.rpcUrl)
    const transport = http(anvil.rpcUrl)
    const publicClient = createPublicClient({ chain, transport, pollingInterval: 50, cacheTime: 0 })
    const testClient = createTestClient({ mode: 'anvil', chain, transport, pollingInterval: 50, cacheTime: 0 })

    await testClient.setLoggingEnabled(false)
    const { bundler3, multicall3 } = devnetAddresses
    await testClient.setCode({ address: bundler3, bytecode: referenceBundlerDeployedBytecode })
    await testClient.setCode({ address: multicall3, bytecode: referenceMulticallDeployedBytecode })
    for (const code of batchAccountCode(newcomers[1].address)) await testClient.setCode(code)
    await sendTransactions(anvil.rpcUrl, [...deployTransactions(), ...createMarketTransactions()])
    if (times.length > 0) await advanceMonths(anvil.rpcUrl, { publicClient, testClient }, times)
    const now = Number((await publicClient.getBlock()).timestamp)
    const expiries = seriesDays.map((days) => seriesExpiry(now, days))
    await sendTransactions(anvil.rpcUrl, [...openPoolTransactions(expiries), ...seedTransactions()])

    const [first, second] = devnetMarkets
    const pool = ({ poolId, name, market }: typeof first): DevnetPool => ({
      poolId,
      name,
      market,
      series: expiries.map((expiry) => ({ seriesKey: seriesKeyOf(poolId, expiry), expiry })),
    })
    return {
      rpcUrl: anvil.rpcUrl,
      chainId: chain.id,
      contracts: devnetAddresses,
      pools: [pool(first), pool(second)],
      deployer,
      backers,
      borrowers,
      newcomers,
      publicClient,
      testClient,
      setPrice: (market, price) => setOraclePrice(testClient, publicClient, market, price),
      walletClient: ({ privateKey }) =>
        createWalletClient({
          account: privateKeyToAccount(privateKey),
          chain,
          transport,
          pollingInterval: 50,
          cacheTime: 0,
        }),
      exited: anvil.exited,
      stop: anvil.stop,
    }
  } catch (error) {
    await anvil.stop()
    if (error instanceof DevnetError) throw error
    throw new DevnetError('DEPLOYMENT_FAILED', 'Failed to deploy the contracts.', { cause: error })
  }
}

function checkOptions({ port = 0, chainId = 8453, blockTime, allowOrigin, historyDays }: DevnetOptions): AnvilOptions {
  const whole = (name: string, value: number, least: number, most: number) => {
    if (Number.isInteger(value) && value >= least && value <= most) return
    throw new DevnetError('INVALID_OPTION', `${name} must be an integer from ${least} to ${most}.`)
  }
  whole('port', port, 0, 65_535)
  whole('chainId', chainId, 1, Number.MAX_SAFE_INTEGER)
  if (blockTime !== undefined) whole('blockTime', blockTime, 1, 86_400)
  if (historyDays !== undefined) whole('historyDays', historyDays, 0, 1_000)
  if (allowOrigin !== undefined && (!URL.canParse(allowOrigin) || new URL(allowOrigin).origin !== allowOrigin)) {
    throw new DevnetError('INVALID_OPTION', 'allowOrigin must be an origin, such as http://localhost:3005.')
  }
  return {
    port,
    chainId,
    ...(blockTime !== undefined && { blockTime }),
    ...(allowOrigin !== undefined && { allowOrigin }),
  }
}

function devnetChain(id: number, rpcUrl: string): Chain {
  return defineChain({
    id,
    name: 'Firmquote devnet',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: devnetAddresses.multicall3 } },
    testnet: true,
  })
}
