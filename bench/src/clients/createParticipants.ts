import { setTimeout as sleep } from 'node:timers/promises'
import type { QuoteDomain } from '@firmquote/core'
import type { DevnetAccount } from '@firmquote/devnet'
import { createQuotes, minNotionalOf, quoteBody, type Series } from '../quotes.ts'
import { type Backer, connectBacker } from './connectBacker.ts'
import { type AuctionEnd, type FollowOptions, openAuction } from './openAuction.ts'

/** Options for connecting backers and borrowers to servers. */
export type ParticipantsOptions = {
  /** Servers that the borrowers use in turn. Backers use `wsUrls`. */
  urls: readonly string[]
  wsUrls: readonly string[]
  /** The audience in the servers' challenges. Default: the connection's address. */
  audience?: string
  domain: QuoteDomain
  series: Series
  makers: readonly DevnetAccount[]
  /**
   * Whether a backer answers an RFQ. Default: always. `rfq` is the RFQ's number among these borrowers' RFQs.
   */
  answers?: (backer: number, rfq: number) => boolean
  /** Opens an auction. Default: `openAuction`. */
  open?: (url: string, series: Series, notional: bigint, options: FollowOptions) => Promise<AuctionEnd>
}

/** The connected backers and borrowers. */
export type Participants = Awaited<ReturnType<typeof createParticipants>>

type TogetherOptions = { rate?: number | undefined; onReceived?: () => unknown }

/**
 * Number of concurrent connection attempts. Each connection requires a challenge to be signed and the signature to be
 * verified.
 */
const connecting = 50
const limitMs = 60_000

/**
 * Connects backers, which answer RFQs, and borrowers, which open them. There is a backer for each maker.
 *
 * @throws {TypeError} if the server rejects one.
 */
export async function createParticipants(options: ParticipantsOptions) {
  const { urls, wsUrls, audience, domain, series, makers, answers = () => true, open = openAuction } = options
  await using stack = new AsyncDisposableStack()
  /** Measured results. Latencies are in milliseconds. */
  const figures = {
    /** Time from sending a quote to its acknowledgement. */
    acknowledgement: [] as number[],
    /** Time from posting an RFQ to the arrival of its frame at a backer, recorded once per backer. */
    fanOut: [] as number[],
    /** Time from the promised close to the borrower's `done` event. */
    close: [] as number[],
    /** Number of quotes that borrowers have received. */
    shown: 0,
    /** Number of answered quotes, by verdict. */
    verdicts: new Map<string, number>(),
    /** Number of rejected auctions, by code. */
    refused: new Map<string, number>(),
    /** Number of broken streams and lost backer connections, by code. */
    failures: new Map<string, number>(),
  }
  const sentAt = new Map<string, number>()
  const postedAt = new Map<string, number>()
  const quotes: string[][] = makers.map(() => [])
  const signers = await Promise.all(makers.map((maker) => createQuotes([maker], [series], domain)))
  const sign = (backer: number, count: number) => signers[backer]?.(count).map(quoteBody) ?? []
  /** Answers held back for `answerTogether`, by backer; null while backers answer immediately. */
  let held: (() => void)[][] | null = null
  let answersInTurn = false
  let opened = 0
  let lastAckAt = 0

  const join = async (maker: DevnetAccount, index: number): Promise<Backer> => {
    let sent = 0
    const wsUrl = wsUrls[index % wsUrls.length] ?? ''
    const events = {
      rfq(rfqId: string, notional: string) {
        const posted = postedAt.get(notional)
        // Another borrower opened this RFQ.
        if (posted === undefined) return
        figures.fanOut.push(performance.now() - posted)
        if (!answers(index, Number(BigInt(notional) - minNotionalOf))) return
        const quote = quotes[index]?.pop() ?? sign(index, 1)[0]
        sent += 1
        const id = `${index}.${sent}`
        const send = () => {
          sentAt.set(id, performance.now())
          backer.send(`{"type":"quote","id":"${id}","rfqId":"${rfqId}","quote":${quote}}`)
        }
        if (held) held[index]?.push(send)
        else send()
      },
      ack(id: string, verdict: string) {
        lastAckAt = performance.now()
        count(figures.verdicts, verdict)
        figures.acknowledgement.push(lastAckAt - (sentAt.get(id) ?? Number.NaN))
        sentAt.delete(id)
        if (answersInTurn) held?.[index]?.shift()?.()
      },
      lost: (code: number, reason: string) => count(figures.failures, `backer ${code} ${reason}`.trim()),
    }
    const backer = await connectBacker(wsUrl, maker.privateKey, events, audience)
    stack.use(backer)
    return backer
  }
  for (let start = 0; start < makers.length; start += connecting) {
    await Promise.all(makers.slice(start, start + connecting).map((maker, index) => join(maker, start + index)))
  }

  const requestQuotes = async (signal?: AbortSignal): Promise<AuctionEnd> => {
    const url = urls[opened % urls.length] ?? ''
    opened += 1
    const notional = minNotionalOf + BigInt(opened)
    postedAt.set(String(notional), performance.now())
    const onQuote = () => {
      figures.shown += 1
    }
    const end = await open(url, series, notional, { onQuote, ...(signal && { signal }) })
    postedAt.delete(String(notional))
    if (end.outcome === 'done') figures.close.push(end.delayMs)
    else if (end.outcome === 'refused') count(figures.refused, end.code)
    else if (!signal?.aborted) count(figures.failures, `auction ${end.code}`)
    return end
  }

  /**
   * Opens RFQs. The backers start to answer once all of them have received every RFQ and `onReceived` has completed.
   * Each backer sends its next quote once the previous one is acknowledged. If `rate` is set, the backers together send
   * that many quotes per second instead. Leaves the auctions once the borrowers have received every quote.
   *
   * @throws {TypeError} if a quote is rejected or lost, or a connection closes.
   */
  const answerTogether = async (rfqs: number, { rate, onReceived }: TogetherOptions = {}) => {
    const left = new AbortController()
    const waiting: (() => void)[][] = makers.map(() => [])
    const [received, shown, acks] = [figures.fanOut.length, figures.shown, figures.acknowledgement.length]
    const check = async (what: string, missing: () => number) => {
      const failed = () =>
        figures.failures.size + figures.refused.size > 0 ||
        [...figures.verdicts.keys()].some((one) => one !== 'ACCEPTED')
      if ((await wait(() => (failed() ? 0 : missing()), limitMs)) === 0 && !failed()) return
      const { verdicts, refused, failures } = figures
      throw new TypeError(`${what}: ${JSON.stringify([...verdicts, ...refused, ...failures])}, missing ${missing()}`)
    }
    held = waiting
    for (let rfq = 0; rfq < rfqs; rfq += 1) void requestQuotes(left.signal)
    await check('RFQs at backers', () => received + rfqs * makers.length - figures.fanOut.length)
    await onReceived?.()
    const total = waiting.flat().length
    const startedAt = performance.now()
    answersInTurn = rate === undefined
    if (answersInTurn) for (const own of waiting) own.shift()?.()
    else await sendSteadily(rate ?? 0, total, (sent) => waiting[sent % waiting.length]?.shift()?.())
    await check('acknowledgements', () => acks + total - figures.acknowledgement.length)
    const ms = lastAckAt - startedAt
    if (open === openAuction) await check('quotes at borrowers', () => shown + total - figures.shown)
    held = null
    left.abort()
    return { count: total, ms }
  }

  const connected = stack.move()
  return {
    ...{ figures, answerTogether },
    /** Opens an auction and waits for its end. Backers answer immediately. */
    requestQuotes: () => requestQuotes(),
    /** Signs `count` quotes per backer in advance. */
    prepare(count: number) {
      for (const [backer, own] of quotes.entries()) own.push(...sign(backer, Math.max(0, count - own.length)))
    },
    /** Waits until every sent quote is answered. Resolves to the number of quotes unanswered at the timeout. */
    settle: (milliseconds: number) => wait(() => sentAt.size, milliseconds),
    /**
     * Waits until `count` answers have been received since the start. Resolves to the number of answers missing at the
     * timeout.
     */
    answered: (count: number, milliseconds: number) => wait(() => count - figures.acknowledgement.length, milliseconds),
    [Symbol.asyncDispose]: () => connected.disposeAsync(),
  }
}

/** Sends at a steady rate. A late send does not delay later sends. */
export async function sendSteadily(rate: number, count: number, send: (sent: number) => void): Promise<void> {
  const startedAt = performance.now()
  for (let sent = 0; sent < count; ) {
    const due = Math.min(count, ((performance.now() - startedAt) * rate) / 1_000)
    for (; sent < due; sent += 1) send(sent)
    // Sleep between checks, since the kernel penalizes a process that never sleeps.
    await sleep(1)
  }
}

/** Polls until nothing is missing or the timeout expires. Resolves to the number of items still missing. */
async function wait(missing: () => number, milliseconds: number): Promise<number> {
  const until = performance.now() + milliseconds
  while (missing() > 0 && performance.now() < until) await sleep(2)
  return Math.max(0, missing())
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
