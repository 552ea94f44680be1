import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AuctionResultMessage,
  isTemporary,
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
  /** The terms of its quote that differ from the RFQ; null: no answer. */
  quote(rfq: RFQBroadcast): (Partial<QuoteMarketQuote> & Pick<QuoteMarketQuote, 'vrtAmount'>) | null
  /** Milliseconds between an RFQ and the quote. */
  delayMs?: number
  /** Called with the verdict on each quote. */
  onVerdict?(verdict: QuoteAckMessage, rfq: RFQBroadcast): unknown
  /** Called without a verdict, and with errors thrown by `onVerdict`. */
  onFailure?(error: unknown, rfq: RFQBroadcast): void
  onAuctionResult?(result: AuctionResultMessage): void
}

/** A connected backer. */
export type Backer = { client: ServiceClient; stop(): void }

/** Maximum attempts for a quote that the service could not judge, as the protocol says, and the delay between them. */
const judged = { mostTries: 4, againMs: 1_000 }

/** Connects a backer to a server. */
export async function startBacker(
  url: string,
  { address, privateKey }: DevnetAccount,
  { quote, delayMs = 0, onVerdict = () => {}, onFailure = () => {}, onAuctionResult }: BackerOptions,
): Promise<Backer> {
  const client = new ServiceClient({ orderbookUrl: url })
  client.setPrivateKey(privateKey)
  const answer = async (rfq: RFQBroadcast, terms: NonNullable<ReturnType<typeof quote>>) => {
    const { rfqId, poolId, seriesKey, notional, taker = zeroAddress } = rfq
    const signed = await client.signQuoteMarketQuote(quoteOf(address, { taker, poolId, seriesKey, notional, ...terms }))
    for (let tries = 1; ; tries += 1) {
      const verdict = await socket.submitSerializedQuote(rfqId, signed)
      await onVerdict(verdict, rfq)
      if (verdict.status === 'accepted' || !isTemporary(verdict.code) || tries === judged.mostTries) return
      await sleep(judged.againMs)
    }
  }
  const events = {
    onRFQ(rfq: RFQBroadcast) {
      const terms = quote(rfq)
      if (terms !== null) setTimeout(() => answer(rfq, terms).catch((error) => onFailure(error, rfq)), delayMs)
    },
    ...(onAuctionResult && { onAuctionResult }),
  }
  const socket = await client.connectWebSocket(events, { retry: true })
  return { client, stop: () => client.disconnectWebSocket() }
}

/** A quote's cost at a rate in basis points of APR, until the RFQ's expiry. */
export function costOf({ expiry }: Pick<RFQBroadcast, 'expiry'>, notional: bigint, aprBps: bigint): bigint {
  const seconds = BigInt(expiry - Math.floor(Date.now() / 1_000))
  return (notional * aprBps * seconds) / (10_000n * BigInt(secondsPerYear))
}

/** A backer's plan: this APR in basis points, this many milliseconds after the RFQ. */
export type BackerPlan = { aprBps: bigint; delayMs: number }

/**
 * Connects a backer that answers every RFQ by a plan. `outcome` is its result of the first auction that accepted its
 * quote.
 */
export async function startPlannedBacker(url: string, account: DevnetAccount, { aprBps, delayMs }: BackerPlan) {
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
