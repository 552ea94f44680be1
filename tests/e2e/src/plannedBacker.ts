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
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { zeroAddress } from 'viem'
import { quoteOf } from './quoteOf.ts'

/** Options for a backer. */
export type BackerOptions = {
  /** Returns the quote's terms that differ from the RFQ's, or null to send no quote. */
  quote(rfq: RFQBroadcast): (Partial<QuoteMarketQuote> & Pick<QuoteMarketQuote, 'vrtAmount'>) | null
  /** Delay between an RFQ and the quote, in milliseconds. */
  delayMs?: number
  /** Called with each quote's verdict. */
  onVerdict?(verdict: QuoteAckMessage, rfq: RFQBroadcast): unknown
  /** Called if no verdict arrives, and with errors thrown by `onVerdict`. */
  onFailure?(error: unknown, rfq: RFQBroadcast): void
  onAuctionResult?(result: AuctionResultMessage): void
}

/** A connected backer. */
export type Backer = { client: ServiceClient; stop(): void }

/**
 * Maximum number of attempts to send a quote that gets no verdict, and the delay between them in milliseconds. The
 * protocol specifies both.
 */
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

/** Returns the cost of a quote until the RFQ's expiry at an APR in basis points. */
export function costOf({ expiry }: Pick<RFQBroadcast, 'expiry'>, notional: bigint, aprBps: bigint): bigint {
  const seconds = BigInt(expiry - Math.floor(Date.now() / 1_000))
  return (notional * aprBps * seconds) / (10_000n * BigInt(secondsPerYear))
}

/** A backer's plan: the APR in basis points, and the delay in milliseconds between an RFQ and the quote. */
export type BackerPlan = { aprBps: bigint; delayMs: number }

/**
 * Connects a backer that answers every RFQ according to a plan, unless the cost exceeds the borrower's maximum. `outcome` is the backer's result in the first auction
 * that accepts its quote.
 */
export async function startPlannedBacker(url: string, account: DevnetAccount, { aprBps, delayMs }: BackerPlan) {
  const accepted = new Set<string>()
  const { promise: outcome, resolve } = createDeferred<QuoteOutcome | undefined>()
  const backer = await startBacker(url, account, {
    quote(rfq) {
      const vrtAmount = costOf(rfq, rfq.notional, aprBps)
      return vrtAmount > (rfq.maxVrtAmount ?? vrtAmount) ? null : { vrtAmount }
    },
    delayMs,
    onVerdict: ({ status }, { rfqId }) => status === 'accepted' && accepted.add(rfqId),
    onAuctionResult: ({ rfqId, outcome: own }) => accepted.has(rfqId) && resolve(own),
  })
  return { ...backer, outcome }
}
