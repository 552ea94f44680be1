import { isDeepStrictEqual } from 'node:util'
import type { QuoteStatusMessage, RFQBroadcast, SignedQuote } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { RFQWebSocketClient, type RFQWebSocketEvents } from '@firmquote/sdk'
import type { Hex } from 'viem'
import { type CrashFixture, seriesOf } from './crashFixture.ts'
import { quoteOf, signerOf } from './quoteOf.ts'
import { until } from './until.ts'

/** A maker whose program is ended and started again, and what all of its programs together were told. */
export type StatusMaker = ReturnType<typeof createStatusMaker>

/** How a maker quotes. */
export type StatusMakerOptions = {
  account: DevnetAccount
  /** Whether it answers RFQs. */
  answers: boolean
  nonceOf(maker: DevnetAccount): bigint
  heard(status: QuoteStatusMessage): void
}

const notional = 2_000_000_000n
/** The chain of a trial does not come this far, in seconds. */
const lifetime = 43_200n

/** Makes a maker that has no program yet. */
export function createStatusMaker(fixture: CrashFixture, { account, answers, nonceOf, heard }: StatusMakerOptions) {
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
    // Soon back after the server is.
    random: () => 0.05,
  }

  const receive = (status: QuoteStatusMessage) => {
    if (status.seq !== place + 1) faults.push(`${status.seq} came after ${place}`)
    const before = known.get(status.seq)
    if (before && !isDeepStrictEqual(before, status)) faults.push(`${status.seq} was told in two ways`)
    known.set(status.seq, status)
    place = status.seq
    heard(status)
  }

  return {
    account,
    /** What was told, by number. */
    known: known as ReadonlyMap<number, QuoteStatusMessage>,
    /** What was wrong with what was told, in words. */
    faults,
    isListening: () => client?.isAuth() ?? false,
    /** Starts its program from the number that the last one has kept. */
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
      // It goes on trying; what ends it is `stop`.
      started.connect({ retry: true }).catch(() => {})
    },
    /** Ends its program, which has kept all but so many of the last numbers. */
    stop(lost: number): void {
      client?.disconnect()
      client = null
      place = Math.max(0, place - lost)
    },
    /** What was told of each quote last. */
    folded(): ReadonlyMap<Hex, QuoteStatusMessage> {
      const bySeq = [...known].sort(([a], [b]) => a - b)
      return new Map(bySeq.map(([, status]) => [status.hash, status]))
    },
    /** The terms of a new quote of this maker, and its signature. */
    signed: () => signer.signQuoteMarketQuote(terms()),
    /** Every status from the first on, as a program is told it that has kept nothing. */
    async readAll(): Promise<QuoteStatusMessage[]> {
      const all: QuoteStatusMessage[] = []
      let isTold = false
      const end = () => {
        isTold = true
      }
      const events: RFQWebSocketEvents = {
        onQuoteStatus: (status) => void all.push(status),
        onResumed: end,
        // Nothing to resume.
        onAuthenticated: ({ statusSeq }) => (statusSeq === 0 ? end() : undefined),
      }
      const reader = new RFQWebSocketClient({ ...config, resumeFrom: 0 }, events)
      await reader.connect({ retry: true })
      await until(() => isTold)
      reader.disconnect()
      return all
    },
  }
}

/** A quote that the service has, and its hash. */
export type KnownQuote = { hash: Hex; quote: SignedQuote }
