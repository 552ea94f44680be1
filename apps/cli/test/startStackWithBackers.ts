import { type RFQBroadcast, secondsPerYear } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { type Stack, startStack } from '@firmquote/test-support/startStack'
import { bytesToHex, zeroAddress } from 'viem'

/** Starts a chain, a server and two backers that answer every RFQ. Auctions last 1.5 seconds. */
export async function startStackWithBackers(): Promise<Stack> {
  const stack = await startStack({
    AUCTION_DURATION_MS: '1500',
    RFQS_PER_MINUTE: '1000',
    OPEN_RFQS: '20',
    LOG_LEVEL: 'warn',
  })
  const clients = await Promise.all([
    startBacker(stack.url, stack.devnet, 0, { percent: 7n, delayMs: 50 }),
    startBacker(stack.url, stack.devnet, 1, { percent: 6n, delayMs: 400 }),
  ])
  return {
    ...stack,
    async stop() {
      for (const client of clients) client.disconnectWebSocket()
      await stack.stop()
    },
  }
}

/** Answers every RFQ at a fixed APR, unless the cost exceeds the borrower's maximum. */
async function startBacker(
  url: string,
  devnet: Devnet,
  index: 0 | 1,
  { percent, delayMs }: { percent: bigint; delayMs: number },
): Promise<ServiceClient> {
  const client = new ServiceClient({ orderbookUrl: url })
  client.setPrivateKey(devnet.backers[index].privateKey)
  const answer = async (rfq: RFQBroadcast) => {
    const now = Math.floor(Date.now() / 1000)
    const vrtAmount = (rfq.notional * percent * BigInt(rfq.expiry - now)) / (100n * BigInt(secondsPerYear))
    if (rfq.maxVrtAmount !== undefined && vrtAmount > rfq.maxVrtAmount) return
    await socket.submitQuote(rfq.rfqId, {
      maker: devnet.backers[index].address,
      taker: rfq.taker ?? zeroAddress,
      poolId: rfq.poolId,
      seriesKey: rfq.seriesKey,
      notional: rfq.notional,
      vrtAmount,
      nonce: 0n,
      deadline: BigInt(now + 600),
      salt: bytesToHex(crypto.getRandomValues(new Uint8Array(32))),
    })
  }
  const socket = await client.connectWebSocket({
    onRFQ: (rfq) => {
      // An abandoned auction closes before the answer arrives, so ignore the error.
      setTimeout(() => answer(rfq).catch(() => {}), delayMs).unref()
    },
  })
  return client
}
