import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AuctionResultMessage,
  hashQuote,
  type PublicRfqId,
  type QuoteAckMessage,
  type ReceiptMessage,
  type RFQBroadcast,
  type SerializedSignedQuote,
} from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import {
  ConnectionError,
  RFQWebSocketClient,
  type RFQWebSocketConfig,
  ServiceError,
  TimeoutError,
} from '@firmquote/sdk'
import { until } from '@firmquote/test-support/until'
import type { Hex } from 'viem'
import { askedNotional, type CrashFixture, seriesOf } from './crashFixture.ts'
import { quoteOf, signerOf } from './quoteOf.ts'

/** An answer that a backer received for one of its quotes. */
export type QuoteAnswer =
  | { type: 'accepted'; receivedAt: number }
  | { type: 'rejected'; code: string }
  /** The connection broke before the answer arrived. With `maybe`, the service may have received the quote. */
  | { type: 'broken'; sent: 'no' | 'maybe' }
  | { type: 'timeout' }

/** A backer's quote for an RFQ, retried until the answer is final. Times are in Unix milliseconds. */
export type Submission = {
  maker: DevnetAccount
  rfqId: PublicRfqId
  closesAt: number
  hash: Hex
  /** Sends the same quote again, once. */
  resend(): Promise<unknown>
  tries: { sentAt: number; answeredAt: number | null; answer: QuoteAnswer | null }[]
}

/** A message that a maker received over any of its connections. */
export type ReceivedMessage = { maker: DevnetAccount; message: QuoteAckMessage | AuctionResultMessage }

/** Backers that answer RFQs with planned delays and retry each quote until its outcome is known. */
export type CrashBackers = Awaited<ReturnType<typeof connectCrashBackers>>

/** Codes that leave the outcome unknown, so the quote is retried. */
export const unsettled: ReadonlySet<string> = new Set([
  'OUTCOME_UNKNOWN',
  'STORAGE_UNAVAILABLE',
  'CHAIN_UNAVAILABLE',
  'OVERLOADED',
])

/** Callbacks for connection events, which receive the maker's number. */
export type BackerWatch = {
  onRfq?: (index: number, rfq: RFQBroadcast) => void
  onClose?: (index: number, code: number) => void
  /** Receives receipts of channels that request them. */
  onReceipt?: (receipt: ReceiptMessage) => void
}

/**
 * Connects one backer for each of the fixture's makers through the SDK. Broken connections are reopened after 50 ms,
 * with backoff. A backer with several connections sends its quote over one of them. If no answer arrives, the backer
 * retries over its next connection.
 */
export async function connectCrashBackers(
  fixture: Pick<CrashFixture, 'devnet' | 'makers' | 'socketUrl'>,
  channelsOf: (index: number) => readonly Partial<RFQWebSocketConfig>[] = () => [{}],
  watch: BackerWatch = {},
) {
  const { devnet, makers, socketUrl } = fixture
  const { quoteMarket } = devnet.contracts
  const domain = { chainId: devnet.chainId, quoteMarket }
  const series = seriesOf(fixture)
  let delays: readonly (readonly (number | null)[])[] = []
  const timers = new Set<NodeJS.Timeout>()
  let stopped = false
  const record = {
    /** All RFQs that any backer has received since the last plan. */
    seen: new Set<PublicRfqId>(),
    /** Quotes sent since the last plan. */
    submissions: [] as Submission[],
    /** All verdicts and results received since the last plan, awaited or not. */
    received: [] as ReceivedMessage[],
    /** Number of duplicate answers to messages. */
    doubleAnswers: 0,
  }

  const connect = async (maker: DevnetAccount, index: number): Promise<readonly RFQWebSocketClient[]> => {
    const signer = signerOf(devnet, maker.privateKey)
    let own = new Set<PublicRfqId>()
    let plan = delays

    const answer = async (rfq: RFQBroadcast) => {
      const vrtAmount = 20_000n + BigInt(Math.floor(Math.random() * 256))
      const deadline = BigInt(Math.floor(Date.now() / 1_000)) + 7_200n
      const quote = quoteOf(maker.address, { ...series, notional: rfq.notional, vrtAmount, deadline })
      const signed = await signer.signQuoteMarketQuote(quote)
      const { rfqId, closesAt } = rfq
      const resend = async () => clients[0]?.submitSerializedQuote(rfqId, signed)
      const submission: Submission = { maker, rfqId, closesAt, hash: hashQuote(quote, domain), resend, tries: [] }
      record.submissions.push(submission)
      await submit(submission, signed)
    }

    const submit = async (submission: Submission, signed: SerializedSignedQuote) => {
      const { tries } = submission
      // The server may not respond, so the quote is soon retried over another connection.
      const timeoutMs = clients.length > 1 ? 1_500 : 15_000
      for (;;) {
        while (!stopped && !clients.some((client) => client.isAuth())) await sleep(20)
        const ready = clients.filter((client) => client.isAuth())
        const client = ready[(index + tries.length) % ready.length]
        if (stopped) return
        // The connection has been lost.
        if (!client) continue
        const attempt: Submission['tries'][number] = { sentAt: Date.now(), answeredAt: null, answer: null }
        tries.push(attempt)
        const outcome = await client
          .submitSerializedQuote(submission.rfqId, signed, { timeoutMs })
          .then((ack): QuoteAnswer => {
            if (ack.status === 'rejected') return { type: 'rejected', code: ack.code }
            if (ack.hash !== submission.hash) throw new TypeError('The acknowledgement is for another quote.')
            return { type: 'accepted', receivedAt: ack.receivedAt }
          })
          .catch((error: unknown): QuoteAnswer => {
            if (error instanceof ConnectionError) return { type: 'broken', sent: error.sent }
            if (error instanceof TimeoutError) return { type: 'timeout' }
            if (error instanceof ServiceError) return { type: 'rejected', code: error.code }
            throw error
          })
        attempt.answer = outcome
        attempt.answeredAt = Date.now()
        if (isFinal(outcome)) return
        // Waits before retrying, since several auctions may be open and a server closes a connection that sends too
        // much (4429).
        await sleep(100)
      }
    }

    const receive = (rfq: RFQBroadcast) => {
      if (plan !== delays) {
        plan = delays
        own = new Set()
      }
      record.seen.add(rfq.rfqId)
      watch.onRfq?.(index, rfq)
      if (own.has(rfq.rfqId) || rfq.notional !== askedNotional) return
      const delay = plan[index]?.[own.size] ?? null
      own.add(rfq.rfqId)
      if (delay === null) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        void answer(rfq)
      }, delay)
      timers.add(timer)
    }

    const clients = channelsOf(index).map((channel) => {
      const answered = new Set<string>()
      return new RFQWebSocketClient(
        {
          ...{ url: socketUrl, signer, chainId: devnet.chainId, quoteMarketAddress: quoteMarket, random: () => 0.05 },
          ...channel,
        },
        {
          onQuoteAck(message) {
            const { id = '' } = message
            if (answered.has(id)) record.doubleAnswers += 1
            answered.add(id)
            record.received.push({ maker, message })
          },
          onAuctionResult: (message) => record.received.push({ maker, message }),
          onRFQ: receive,
          onReceipt: (message) => watch.onReceipt?.(message),
          onClose: ({ code }) => watch.onClose?.(index, code),
        },
      )
    })
    await Promise.all(clients.map((client) => client.connect({ retry: true })))
    return clients
  }

  const clients = (await Promise.all(makers.map(connect))).flat()
  const clearTimers = () => {
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }
  const answersOf = () => record.submissions.map(({ tries }) => tries.at(-1)?.answer ?? null)

  return Object.assign(record, {
    /** Quotes awaiting an answer. */
    inFlight: () => record.submissions.filter(({ tries }) => tries.at(-1)?.answer === null),
    /** Clears the records. From now on, answers RFQs after these delays in milliseconds; null means no answer. */
    plan(next: readonly (readonly (number | null)[])[]): void {
      clearTimers()
      Object.assign(record, { seen: new Set(), submissions: [], received: [] })
      delays = next
    },
    /** Resolves once `count` quotes have been accepted since the last plan. */
    accepted: (count: number) =>
      until(() => answersOf().filter((answer) => answer?.type === 'accepted').length >= count),
    /** Resolves once every sent quote has a final answer and all backers are connected. */
    settled: () =>
      until(() => timers.size === 0 && answersOf().every(isFinal) && clients.every((client) => client.isAuth())),
    stop(): void {
      stopped = true
      clearTimers()
      for (const client of clients) client.disconnect()
    },
  })
}

/** Whether an answer is a quote's final outcome. */
export function isFinal(answer: QuoteAnswer | null): boolean {
  return answer?.type === 'accepted' || (answer?.type === 'rejected' && !unsettled.has(answer.code))
}
