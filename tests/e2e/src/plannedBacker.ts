import { type QuoteOutcome, secondsPerYear } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { zeroAddress } from 'viem'

/** How a backer answers: with this APR in hundredths of a percent, so many milliseconds after the RFQ. */
export type BackerPlan = { aprBps: bigint; delayMs: number }

/** A backer that is connected; `outcome` is what it receives at the close of the first auction that has accepted its quote. */
export type PlannedBacker = { client: ServiceClient; outcome: Promise<QuoteOutcome | undefined> }

/** Connects a backer of its own to a server, which answers every RFQ by a plan. */
export async function startPlannedBacker(
  url: string,
  { address, privateKey }: DevnetAccount,
  { aprBps, delayMs }: BackerPlan,
): Promise<PlannedBacker> {
  const client = new ServiceClient({ orderbookUrl: url })
  client.setPrivateKey(privateKey)
  const accepted = new Set<string>()
  let tell: (outcome: QuoteOutcome | undefined) => void
  const outcome = new Promise<QuoteOutcome | undefined>((resolve) => {
    tell = resolve
  })
  const socket = await client.connectWebSocket({
    onRFQ: (rfq) => {
      const now = Math.floor(Date.now() / 1000)
      const vrtAmount = (rfq.notional * aprBps * BigInt(rfq.expiry - now)) / (10_000n * BigInt(secondsPerYear))
      setTimeout(() => {
        const submitted = socket.submitQuote(rfq.rfqId, {
          maker: address,
          taker: zeroAddress,
          poolId: rfq.poolId,
          seriesKey: rfq.seriesKey,
          notional: rfq.notional,
          vrtAmount,
          nonce: 0n,
          deadline: BigInt(now + 600),
          salt: `0x${'0'.repeat(64)}`,
        })
        submitted.then(
          ({ status }) => status === 'accepted' && accepted.add(rfq.rfqId),
          () => {},
        )
      }, delayMs)
    },
    onAuctionResult({ rfqId, outcome }) {
      if (accepted.has(rfqId)) tell(outcome)
    },
  })
  return { client, outcome }
}
