import { interestRatePoolAbi, quoteMarketAbi, type RFQ, rateAdapterAbi } from '@firmquote/core'
import type { Devnet, DevnetAccount } from '@firmquote/devnet'
import { type RFQWebSocketClient, ServiceClient } from '@firmquote/sdk'
import { bytesToHex, type Hex, zeroAddress } from 'viem'
import { type PricingPolicy, priceQuote } from './pricing.ts'

/** A backer of the demo: who it is, how it prices, and how long it thinks. */
export type DemoBackerOptions = {
  account: DevnetAccount
  policy: PricingPolicy
  thinkMs: number
}

const quoteLifetimeSeconds = 600n

/** Connects a backer that answers every RFQ with one quote: the pool's floating rate plus its spread. */
export async function startDemoBacker(
  url: string,
  devnet: Devnet,
  { account, policy, thinkMs }: DemoBackerOptions,
): Promise<ServiceClient> {
  const client = new ServiceClient({
    orderbookUrl: url,
    chainId: devnet.chainId,
    quoteMarketAddress: devnet.contracts.quoteMarket,
    interestRatePoolAddress: devnet.contracts.interestRatePool,
  })
  client.setPrivateKey(account.privateKey)
  const socket: RFQWebSocketClient = await client.connectWebSocket({
    onRFQ: (rfq) => {
      setTimeout(() => {
        answer(socket, devnet, account, policy, rfq).catch((error: Error) => {
          process.stderr.write(`A demo backer could not quote: ${error.message}\n`)
        })
      }, thinkMs).unref()
    },
  })
  return client
}

async function answer(
  socket: RFQWebSocketClient,
  devnet: Devnet,
  account: DevnetAccount,
  policy: PricingPolicy,
  rfq: RFQ,
): Promise<void> {
  const now = BigInt(Math.floor(Date.now() / 1000))
  const [floating, nonce] = await Promise.all([readFloatingRate(devnet, rfq.poolId), readNonce(devnet, account)])
  const vrtAmount = priceQuote(rfq.notional, floating, BigInt(rfq.expiry) - now, policy)
  if (rfq.maxVrtAmount !== undefined && vrtAmount > rfq.maxVrtAmount) return
  const ack = await socket.submitQuote(rfq.rfqId, {
    maker: account.address,
    taker: rfq.taker ?? zeroAddress,
    poolId: rfq.poolId,
    seriesKey: rfq.seriesKey,
    notional: rfq.notional,
    vrtAmount,
    nonce,
    deadline: now + quoteLifetimeSeconds,
    salt: randomSalt(),
  })
  if (ack.status === 'rejected') {
    process.stderr.write(`The server refused a demo backer's quote: ${ack.code} ${ack.message}\n`)
  }
}

async function readFloatingRate({ publicClient, contracts }: Devnet, poolId: Hex): Promise<bigint> {
  const [, adapter, market] = await publicClient.readContract({
    address: contracts.interestRatePool,
    abi: interestRatePoolAbi,
    functionName: 'pools',
    args: [poolId],
  })
  return publicClient.readContract({
    address: adapter,
    abi: rateAdapterAbi,
    functionName: 'ratePerSec',
    args: [market],
  })
}

function readNonce({ publicClient, contracts }: Devnet, { address }: DevnetAccount): Promise<bigint> {
  return publicClient.readContract({
    address: contracts.quoteMarket,
    abi: quoteMarketAbi,
    functionName: 'nonces',
    args: [address],
  })
}

function randomSalt(): Hex {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
}
