import {
  type AuctionResultMessage,
  type QuoteAckMessage,
  type QuoteMarketQuote,
  type QuoteOutcome,
  type RFQBroadcast,
  secondsPerYear,
} from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { ServiceClient } from '@firmquote/sdk'
import { zeroAddress } from 'viem'
import { quoteOf } from './quoteOf.ts'

/** How a backer behaves. */
export type BackerOptions = {
  /** The terms of its quote that are not those of the RFQ; null leaves the RFQ without an answer. */
  quote(rfq: RFQBroadcast): (Partial<QuoteMarketQuote> & Pick<QuoteMarketQuote, 'vrtAmount'>) | null
  /** Milliseconds between an RFQ and the quote. */
  delayMs?: number
  /** Called with the verdict on each quote. */
  onVerdict?(verdict: QuoteAckMessage, rfq: RFQBroadcast): unknown
  /** Called when there is no verdict, and with what `onVerdict` throws. */
  onFailure?(error: unknown): void
  onAuctionResult?(result: AuctionResultMessage): void
}

/** A backer that is connected. */
export type Backer = { client: ServiceClient; stop(): void }

/** Connects a backer to a server. */
export async function startBacker(
  url: string,
  { address, privateKey }: DevnetAccount,
  { quote, delayMs = 0, onVerdict = () => {}, onFailure = () => {}, onAuctionResult }: BackerOptions,
): Promise<Backer> {
  const client = new ServiceClient({ orderbookUrl: url })
  client.setPrivateKey(privateKey)
  const socket = await client.connectWebSocket({
    onRFQ(rfq) {
      const { rfqId, poolId, seriesKey, notional, taker = zeroAddress } = rfq
      const terms = quote(rfq)
      if (terms === null) return
      const submit = async () => {
        const signed = quoteOf(address, { taker, poolId, seriesKey, notional, ...terms })
        await onVerdict(await socket.submitQuote(rfqId, signed), rfq)
      }
      setTimeout(() => submit().catch(onFailure), delayMs)
    },
    ...(onAuctionResult && { onAuctionResult }),
  })
  return { client, stop: () => client.disconnectWebSocket() }
}

/** What a quote costs at a rate in hundredths of a percent of APR, until the RFQ's expiry. */
export function costOf({ expiry }: Pick<RFQBroadcast, 'expiry'>, notional: bigint, aprBps: bigint): bigint {
  const seconds = BigInt(expiry - Math.floor(Date.now() / 1_000))
  return (notional * aprBps * seconds) / (10_000n * BigInt(secondsPerYear))
}

/** How a backer answers: with this APR in hundredths of a percent, so many milliseconds after the RFQ. */
export type BackerPlan = { aprBps: bigint; delayMs: number }

/** A backer that is connected; `outcome` is what it receives at the close of the first auction that has accepted its quote. */
export type PlannedBacker = Backer & { outcome: Promise<QuoteOutcome | undefined> }

/** Connects a backer of its own to a server, which answers every RFQ by a plan. */
export async function startPlannedBacker(
  url: string,
  account: DevnetAccount,
  { aprBps, delayMs }: BackerPlan,
): Promise<PlannedBacker> {
  const accepted = new Set<string>()
  let resolve = (_: QuoteOutcome | undefined) => {}
  const outcome = new Promise<QuoteOutcome | undefined>((settle) => {
    resolve = settle
  })
  const backer = await startBacker(url, account, {
    quote: (rfq) => ({ vrtAmount: costOf(rfq, rfq.notional, aprBps) }),
    delayMs,
    onVerdict: ({ status }, { rfqId }) => status === 'accepted' && accepted.add(rfqId),
    onAuctionResult: ({ rfqId, outcome: own }) => accepted.has(rfqId) && resolve(own),
  })
  return { ...backer, outcome }
}
