import { isDeepStrictEqual } from 'node:util'
import type { QuoteStatusMessage, RFQBroadcast, SignedQuote } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { RFQWebSocketClient, type RFQWebSocketEvents } from '@firmquote/sdk'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import type { Hex } from 'viem'
import { type CrashFixture, seriesOf } from './crashFixture.ts'
import { quoteOf, signerOf } from './quoteOf.ts'

/** A maker whose program is stopped and restarted, and all updates received by its programs. */
export type StatusMaker = ReturnType<typeof createStatusMaker>

/** Options for a maker. */
export type StatusMakerOptions = {
  account: DevnetAccount
  /** Whether it answers RFQs. */
  answers: boolean
  nonceOf(maker: DevnetAccount): bigint
  onStatus(status: QuoteStatusMessage): void
}

const notional = 2_000_000_000n
/** Lifetime of quotes, in seconds. The lifetime exceeds the time that a trial's chain advances. */
const lifetime = 43_200n

/** Creates a maker whose program is not running. */
export function createStatusMaker(fixture: CrashFixture, { account, answers, nonceOf, onStatus }: StatusMakerOptions) {
  const { devnet, socketUrl } = fixture
  const known = new Map<number, QuoteStatusMessage>()
  const faults: string[] = []
  /** Number of the last update that the maker's program processed. */
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
    // Reconnects soon after the server restarts.
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
    /** Updates received so far, by number. */
    known: known as ReadonlyMap<number, QuoteStatusMessage>,
    /** Errors found in the received updates. */
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
            if (client === started && !complete) faults.push('some updates could not be resumed')
          },
          async onRFQ({ rfqId }: RFQBroadcast) {
            if (!answers) return
            await started.submitQuote(rfqId, terms()).catch(() => {})
          },
        },
      )
      client = started
      // The client retries until `stop`.
      started.connect({ retry: true }).catch(() => {})
    },
    /** Stops the program as if it had not saved the last `lost` numbers. */
    stop(lost: number): void {
      client?.disconnect()
      client = null
      place = Math.max(0, place - lost)
    },
    /** Returns each quote's last update. */
    folded(): ReadonlyMap<Hex, QuoteStatusMessage> {
      const bySeq = [...known].sort(([a], [b]) => a - b)
      return new Map(bySeq.map(([, status]) => [status.hash, status]))
    },
    /** Signs a new quote from this maker. */
    signed: () => signer.signQuoteMarketQuote(terms()),
    /** Reads all updates from the first, as a program without a saved number does. */
    async readAll(): Promise<QuoteStatusMessage[]> {
      const all: QuoteStatusMessage[] = []
      const { promise: complete, resolve: end } = createDeferred()
      const events: RFQWebSocketEvents = {
        onQuoteStatus: (status) => void all.push(status),
        onResumed: () => end(),
        // There is nothing to resume.
        onAuthenticated: ({ statusSeq }) => (statusSeq === 0 ? end() : undefined),
      }
      const reader = new RFQWebSocketClient({ ...config, resumeFrom: 0 }, events)
      await reader.connect({ retry: true })
      await complete
      reader.disconnect()
      return all
    },
  }
}

/** A quote known to the service, and its hash. */
export type KnownQuote = { hash: Hex; quote: SignedQuote }
