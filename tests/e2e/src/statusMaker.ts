import { isDeepStrictEqual } from 'node:util'
import type { QuoteStatusMessage, RFQBroadcast, SignedQuote } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { RFQWebSocketClient, type RFQWebSocketEvents } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { type CrashFixture, seriesOf } from './crashFixture.ts'
import { quoteOf, signerOf } from './quoteOf.ts'
import { until } from './until.ts'

/** A maker whose program is stopped and restarted, and the updates that all of its programs received. */
export type StatusMaker = ReturnType<typeof createStatusMaker>

/** How a maker quotes. */
export type StatusMakerOptions = {
  account: DevnetAccount
  /** Whether it answers RFQs. */
  answers: boolean
  nonceOf(maker: DevnetAccount): bigint
  onStatus(status: QuoteStatusMessage): void
}

const notional = 2_000_000_000n
/** Longer than the chain of a trial advances, in seconds. */
const lifetime = 43_200n

/** Creates a maker without a running program. */
export function createStatusMaker(fixture: CrashFixture, { account, answers, nonceOf, onStatus }: StatusMakerOptions) {
  const { devnet, socketUrl } = fixture
  const known = new Map<number, QuoteStatusMessage>()
  const faults: string[] = []
  /** The last number that its program has handled. */
  let place = 0
  let client: RFQWebSocketClient | null = null

  const signer = signerOf(devnet, account.privateKey)
  const terms = () =>
    quoteOf(account.address, {
      ...seriesOf(fixture),
      notional,
      vrtAmount: 20_000n + BigInt(Math.floor(Math.random() * 256)),
      nonce: nonceOf(account),
      deadline: BigInt(Math.floor(Date.now() / 1_000)) + lifetime,
    })
  const config = {
    url: socketUrl,
    signer,
    chainId: devnet.chainId,
    quoteMarketAddress: devnet.contracts.quoteMarket,
    // Reconnects soon after the server is back.
    random: () => 0.05,
  }

  const receive = (status: QuoteStatusMessage) => {
    if (status.seq !== place + 1) faults.push(`${status.seq} came after ${place}`)
    const before = known.get(status.seq)
    if (before && !isDeepStrictEqual(before, status)) faults.push(`${status.seq} was sent twice with different content`)
    known.set(status.seq, status)
    place = status.seq
    onStatus(status)
  }

  return {
    account,
    /** Received updates by number. */
    known: known as ReadonlyMap<number, QuoteStatusMessage>,
    /** Errors in the received updates. */
    faults,
    isListening: () => client?.isAuth() ?? false,
    /** Starts a program that resumes after the saved number. */
    start(): void {
      if (client) return
      const started = new RFQWebSocketClient(
        { ...config, resumeFrom: place },
        {
          onQuoteStatus(status) {
            if (client === started) receive(status)
          },
          onResumed({ complete }) {
            if (client === started && !complete) faults.push('something could not be had')
          },
          async onRFQ({ rfqId }: RFQBroadcast) {
            if (!answers) return
            await started.submitQuote(rfqId, terms()).catch(() => {})
          },
        },
      )
      client = started
      // It retries until `stop`.
      started.connect({ retry: true }).catch(() => {})
    },
    /** Stops the program, which has not saved the last `lost` numbers. */
    stop(lost: number): void {
      client?.disconnect()
      client = null
      place = Math.max(0, place - lost)
    },
    /** The last update of each quote. */
    folded(): ReadonlyMap<Hex, QuoteStatusMessage> {
      const bySeq = [...known].sort(([a], [b]) => a - b)
      return new Map(bySeq.map(([, status]) => [status.hash, status]))
    },
    /** The signed terms of a new quote by this maker. */
    signed: () => signer.signQuoteMarketQuote(terms()),
    /** All updates from the first on, as a program without a saved number receives them. */
    async readAll(): Promise<QuoteStatusMessage[]> {
      const all: QuoteStatusMessage[] = []
      let isComplete = false
      const end = () => {
        isComplete = true
      }
      const events: RFQWebSocketEvents = {
        onQuoteStatus: (status) => void all.push(status),
        onResumed: end,
        // Nothing to resume.
        onAuthenticated: ({ statusSeq }) => (statusSeq === 0 ? end() : undefined),
      }
      const reader = new RFQWebSocketClient({ ...config, resumeFrom: 0 }, events)
      await reader.connect({ retry: true })
      await until(() => isComplete)
      reader.disconnect()
      return all
    },
  }
}

/** A quote known to the service, and its hash. */
export type KnownQuote = { hash: Hex; quote: SignedQuote }
