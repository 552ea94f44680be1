import { setTimeout as sleep } from 'node:timers/promises'
import { createBatchWallet, type DevnetSeries, testTokenAbi } from '@firmquote/devnet'
import {
  approveParameters,
  BackerSigner,
  deserializeSignedQuote,
  planTakes,
  type RFQBroadcast,
  type RFQRequest,
  RFQWebSocketClient,
  ServiceClient,
  setOperatorParameters,
  takeQuoteParameters,
} from '@firmquote/sdk'
import { startStack } from '@firmquote/test-support/startStack'
import { type Address, createWalletClient, custom, encodeFunctionData, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { startPlannedBacker } from '../plannedBacker.ts'
import { quoteOf } from '../quoteOf.ts'
import type { ExampleNames } from './exampleNames.ts'

const usd = 1_000_000n
const funds = 1_000_000n * usd
const limit = { maxApr: 8 }

/** What examples are run on: a chain, a server, and two backers that answer every auction. */
export type ExampleFixture = {
  /**
   * The values of names, for one example alone: its accounts are new, and no other example takes its quotes. What takes time is
   * made only if it is asked for. `position` is there after `passExpiry`.
   */
  prepare(
    names: ReadonlySet<string>,
  ): Promise<Partial<ExampleNames> & { RFQWebSocketClient: typeof RFQWebSocketClient }>
  /** Lets the series end that the prepared positions are of. */
  passExpiry(): Promise<void>
  stop(): Promise<void>
}

/** Starts it; what examples are prepared with is closed by `stop`, too. */
export async function startExampleFixture(): Promise<ExampleFixture> {
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
  const positions: (() => Promise<void>)[] = []
  let prepared = 0n

  const stop = async () => {
    for (const socket of sockets) socket.disconnect()
    await stack.stop()
  }

  /** Gives an account coins and loan tokens, and lets the quote market use them. */
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

  /** One that an example opens is closed with all others. */
  class OwnSocketClient extends RFQWebSocketClient {
    constructor(...given: ConstructorParameters<typeof RFQWebSocketClient>) {
      super(...given)
      sockets.push(this)
    }
  }

  const prepare: ExampleFixture['prepare'] = async (names) => {
    const needs = (...some: (keyof ExampleNames)[]) => some.some((name) => names.has(name))
    const { seriesKey, expiry } = needs('position') ? nearest : later
    // No two auctions are for the same amount, so no two of the backers' quotes are the same.
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
    const send: ExampleNames['send'] = async (call) =>
      publicClient.waitForTransactionReceipt({ hash: await walletClient.writeContract(call) })
    const key = generatePrivateKey()
    const maker = privateKeyToAddress(key)
    const signer = new BackerSigner(client.getConfig())
    signer.setPrivateKey(key)
    const price = ({ poolId, seriesKey, notional }: typeof request) =>
      quoteOf(maker, { poolId, seriesKey, notional, vrtAmount: notional / 10n })
    const quote = price(request)
    const values: Awaited<ReturnType<ExampleFixture['prepare']>> = {
      RFQWebSocketClient: OwnSocketClient,
      ...{ client, orderbookUrl, webSocketUrl, chainId, poolId, seriesKey, expiry, loanToken, notional, request },
      ...{ account, publicClient, walletClient, send, maker, key, signer, price, quote },
      makerWallet: devnet.walletClient({ address: maker, privateKey: key }),
      signed: deserializeSignedQuote(await signer.signQuoteMarketQuote(quote)),
      // Any contract: nothing is signed for it.
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
      Object.assign(values, await openRfq({ url: webSocketUrl, signer, client, request }))
    }
    if (needs('position')) {
      const { signed } = values as ExampleNames
      await send(takeQuoteParameters(signed))
      positions.push(async () => {
        for (;;) {
          const [position] = (await client.getPositions(account.address)).positions
          if (position?.settleable) return void Object.assign(values, { position })
          await sleep(50)
        }
      })
    }
    return values
  }

  /** A maker's channel, and an RFQ of an auction that is open and of nobody else. */
  async function openRfq(given: { url: string; signer: BackerSigner; client: ServiceClient; request: RFQRequest }) {
    const { url, signer, client, request } = given
    let receive: (rfq: RFQBroadcast) => void
    const received = new Promise<RFQBroadcast>((resolve) => {
      receive = resolve
    })
    const socket = new OwnSocketClient(
      { ...client.getConfig(), url, signer },
      { onRFQ: (rfq) => rfq.notional === request.notional && receive(rfq) },
    )
    await socket.connect()
    const events = new ServiceClient({ orderbookUrl }).streamQuotes(request)
    await events.next()
    await events.return()
    return { socket, rfq: await received }
  }

  async function passExpiry(): Promise<void> {
    await testClient.setNextBlockTimestamp({ timestamp: BigInt(nearest.expiry) })
    await testClient.mine({ blocks: 1 })
    await Promise.all(positions.map((read) => read()))
  }

  try {
    // Transactions of an account need no signature: neither those of `fund`, nor what a wallet sends as one.
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
  return { prepare, passExpiry, stop }
}
