import { backers, type DevnetAccount, interestRatePoolAbi } from '@firmquote/devnet'
import { deserializeSignedQuote, ServiceClient, takeQuoteParameters } from '@firmquote/sdk'
import {
  bytesToHex,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  parseEventLogs,
  publicActions,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import type { Demo } from './startDemo.ts'

/** A term of the devnet's market. */
export type Term = { poolId: Hex; seriesKey: Hex; expiry: number }

/** The terms that end first and last. */
export async function listTerms(demo: Demo): Promise<[first: Term, last: Term]> {
  const [market] = await new ServiceClient({ orderbookUrl: demo.url }).getPoolRates()
  const terms = market?.series.map(({ seriesKey, expiry }) => ({ poolId: market.poolId, seriesKey, expiry }))
  const [first, last] = [terms?.[0], terms?.at(-1)]
  if (!first || !last) throw new TypeError('the devnet has no series')
  return [first, last]
}

/** Opens a position of a borrower with the first maker, for 1 % of what it fixes; its number. */
export async function openPosition(
  demo: Demo,
  borrower: DevnetAccount,
  { poolId, seriesKey }: Term,
  notional = 50_000_000_000n,
): Promise<bigint> {
  const [maker] = backers
  const signer = new ServiceClient({ orderbookUrl: demo.url })
  signer.setPrivateKey(maker.privateKey)
  const quote = await signer.signQuoteMarketQuote({
    maker: maker.address,
    taker: borrower.address,
    poolId,
    seriesKey,
    notional,
    vrtAmount: notional / 100n + 1n,
    nonce: 0n,
    deadline: BigInt(Math.floor(Date.now() / 1000) + 3_600),
    salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
  })
  const transport = http(demo.rpcUrl)
  const wallet = createWalletClient({ account: privateKeyToAccount(borrower.privateKey), chain: base, transport })
  const hash = await wallet.writeContract(takeQuoteParameters(deserializeSignedQuote(quote)))
  const node = createPublicClient({ chain: base, transport, pollingInterval: 100 })
  const { logs } = await node.waitForTransactionReceipt({ hash })
  const [opened] = parseEventLogs({ abi: interestRatePoolAbi, eventName: 'PositionOpened', logs })
  if (!opened) throw new TypeError('it was not taken')
  return opened.args.positionId
}

/** Lets the chain's time pass, until the service has seen it. */
export async function travelTo(demo: Demo, timestamp: number): Promise<void> {
  const node = createTestClient({ mode: 'anvil', chain: base, transport: http(demo.rpcUrl) }).extend(publicActions)
  await node.setNextBlockTimestamp({ timestamp: BigInt(timestamp) })
  await node.mine({ blocks: 1 })
  const reached = await node.getBlockNumber()
  const client = new ServiceClient({ orderbookUrl: demo.url })
  const seen = async () => BigInt((await client.getPositions(backers[0].address)).block)
  while ((await seen()) < reached) await new Promise((resolve) => setTimeout(resolve, 100))
}
