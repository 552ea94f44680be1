import { EventEmitter, once } from 'node:events'
import { createBatchWallet, type DevnetSeries, testTokenAbi } from '@firmquote/devnet'
import {
  approveParameters,
  BackerSigner,
  deserializeSignedQuote,
  type Executability,
  type FixedPosition,
  planTakes,
  type RFQBroadcast,
  type RFQRequest,
  type RFQResult,
  RFQWebSocketClient,
  ServiceClient,
  setOperatorParameters,
  type TakePlan,
  takeQuoteParameters,
} from '@firmquote/sdk'
import { startStack } from '@firmquote/test-support/startStack'
import { type Abi, type Address, createWalletClient, custom, encodeFunctionData, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { waitUntil } from '../../../../apps/server/test/waitUntil.ts'
import { startPlannedBacker } from '../plannedBacker.ts'
import { quoteOf } from '../quoteOf.ts'

/** Expensive values, created only when an example uses them. */
type SlowValues = {
  result: RFQResult
  best: RFQResult['quotes'][number]
  plan: TakePlan
  verdict: Executability
  position: FixedPosition
  socket: RFQWebSocketClient
  rfq: RFQBroadcast
}

const usd = 1_000_000n
const funds = 1_000_000n * usd
const limit = { maxApr: 8 }

/**
 * Starts a chain and server for the examples, and two backers that answer every auction. `stop` also closes clients and
 * servers that examples open.
 */
export async function startExampleFixture() {
  const stack = await startStack({
    ...{ AUCTION_DURATION_MS: '4000', RFQS_PER_MINUTE: '1000', OPEN_RFQS: '1000', PENDING_SOCKETS_PER_NETWORK: '64' },
    SYNC_INTERVAL_MS: '100',
  })
  const { devnet, url: orderbookUrl } = stack
  const { publicClient, testClient, chainId } = devnet
  const { loanToken } = devnet.contracts
  const [{ poolId, series }] = devnet.pools
  const [nearest, later] = series as readonly [DevnetSeries, DevnetSeries]
  const sockets: { disconnect(): void }[] = []
  const positions: (() => Promise<unknown>)[] = []
  let prepared = 0n

  const stop = async () => {
    for (const socket of sockets) socket.disconnect()
    await stack.stop()
  }

  /** Funds an account with native coins, loan tokens and an allowance for the quote market. */
  async function fund(from: Address): Promise<void> {
    await testClient.setBalance({ address: from, value: parseEther('10') })
    const calls = [
      { address: loanToken, abi: testTokenAbi, functionName: 'mint', args: [from, funds] },
      approveParameters({ loanToken, amount: funds }),
      setOperatorParameters(),
    ] as const
    for (const { address: to, ...call } of calls) {
      const hash = await testClient.sendUnsignedTransaction({ from, to, data: encodeFunctionData(call as never) })
      await publicClient.waitForTransactionReceipt({ hash })
    }
  }

  /** Registers clients that examples open, so that `stop` closes them. */
  class OwnSocketClient extends RFQWebSocketClient {
    constructor(...given: ConstructorParameters<typeof RFQWebSocketClient>) {
      super(...given)
      sockets.push(this)
    }
  }

  /**
   * Creates the values available to an example. The comment at the top of the SDK's `index.ts` lists these values. Each
   * example has new accounts, so no other example takes its quotes. `position` is available only after `passExpiry`.
   */
  async function prepare(names: ReadonlySet<string>) {
    const needs = (...some: string[]) => some.some((name) => names.has(name))
    const { seriesKey, expiry } = needs('position') ? nearest : later
    // Each auction has a different amount, so that no two of the backers' quotes are identical.
    const notional = 10_000n * usd + prepared++
    const request = { poolId, seriesKey, notional }
    const client = new ServiceClient({ orderbookUrl })
    const webSocketUrl = `${orderbookUrl.replace('http', 'ws')}/ws/rfq`
    const account = privateKeyToAccount(generatePrivateKey())
    const walletClient = createWalletClient({
      account,
      chain: publicClient.chain,
      transport: custom(createBatchWallet(devnet, account)),
    })
    const send = async (call: { address: Address; abi: Abi; functionName: string; args: readonly unknown[] }) =>
      publicClient.waitForTransactionReceipt({ hash: await walletClient.writeContract(call) })
    const key = generatePrivateKey()
    const maker = privateKeyToAddress(key)
    const signer = new BackerSigner(client.getConfig())
    signer.setPrivateKey(key)
    const price = ({ poolId, seriesKey, notional }: typeof request) =>
      quoteOf(maker, { poolId, seriesKey, notional, vrtAmount: notional / 10n })
    const quote = price(request)
    const signed = deserializeSignedQuote(await signer.signQuoteMarketQuote(quote))
    const values = {
      ...({} as SlowValues),
      ...{ client, orderbookUrl, webSocketUrl, chainId, poolId, seriesKey, expiry, loanToken, notional, request },
      ...{ account, publicClient, walletClient, send, maker, key, signer, price, quote, signed },
      makerWallet: devnet.walletClient({ address: maker, privateKey: key }),
      // Any contract will do, since nothing is signed for it.
      safe: devnet.contracts.loanToken,
      owner: privateKeyToAccount(generatePrivateKey()),
    }
    sockets.push({ disconnect: () => client.disconnectWebSocket() })
    if (needs('account', 'walletClient', 'send', 'plan', 'verdict', 'position')) await fund(account.address)
    if (needs('key', 'signer', 'makerWallet', 'quote', 'signed', 'price', 'position')) await fund(maker)

    if (needs('result', 'best', 'plan', 'verdict')) {
      const result = await client.requestQuotes(request)
      const [best] = result.quotes
      const plan = await planTakes(result.quotes, { request, limit, borrower: account.address, publicClient })
      const [first] = plan.takes
      if (!best || !first) throw new TypeError(`Nothing to take: ${plan.refused.map(({ reason }) => reason)}`)
      Object.assign(values, { result, best, plan, verdict: first.verdict })
    }
    if (needs('socket', 'rfq')) {
      Object.assign(values, await openRfq(webSocketUrl, signer, client, request))
    }
    if (needs('position')) {
      await send(takeQuoteParameters(signed))
      positions.push(() =>
        waitUntil(async () => {
          const [position] = (await client.getPositions(account.address)).positions
          Object.assign(values, { position })
          return position?.settleable === true
        }),
      )
    }
    return values
  }

  /**
   * Opens a maker's channel and an auction that only this example uses. Returns the maker's channel and the RFQ that it
   * received.
   */
  async function openRfq(url: string, signer: BackerSigner, client: ServiceClient, request: RFQRequest) {
    const rfqs = new EventEmitter<{ rfq: [RFQBroadcast] }>()
    const onRFQ = (rfq: RFQBroadcast) => void (rfq.notional === request.notional && rfqs.emit('rfq', rfq))
    const socket = new OwnSocketClient({ ...client.getConfig(), url, signer }, { onRFQ })
    await socket.connect()
    const received = once(rfqs, 'rfq')
    const events = new ServiceClient({ orderbookUrl }).streamQuotes(request)
    await events.next()
    await events.return()
    const [rfq] = await received
    return { socket, rfq }
  }

  /** Advances the chain's time past the expiry of the prepared positions' series. */
  async function passExpiry(): Promise<void> {
    await testClient.setNextBlockTimestamp({ timestamp: BigInt(nearest.expiry) })
    await testClient.mine({ blocks: 1 })
    await Promise.all(positions.map((read) => read()))
  }

  try {
    // With this setting, `fund` and wallets' batches send transactions without signatures.
    await testClient.request({ method: 'anvil_autoImpersonateAccount', params: [true] } as never)
    const [first, second] = devnet.backers
    const backers = await Promise.all([
      startPlannedBacker(orderbookUrl, first, { aprBps: 600n, delayMs: 100 }),
      startPlannedBacker(orderbookUrl, second, { aprBps: 700n, delayMs: 100 }),
    ])
    for (const { stop: disconnect } of backers) sockets.push({ disconnect })
  } catch (error) {
    await stop()
    throw error
  }
  return { prepare, passExpiry, stop, RFQWebSocketClient: OwnSocketClient }
}
