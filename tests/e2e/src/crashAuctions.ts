import { randomBytes } from 'node:crypto'
import type { RFQResult, RFQStreamEvent, RFQSummary, RfqId } from '@firmquote/core'
import {
  ConnectionError,
  InvalidResponseError,
  ServiceClient,
  type ServiceClientOptions,
  ServiceError,
  StreamError,
} from '@firmquote/sdk'
import { serverCount } from '@firmquote/test-support/trial'
import { expect } from '@jest/globals'
import type { Hex } from 'viem'
import { type CrashBackers, isFinal, type Submission } from './crashBackers.ts'
import { askedNotional, type CrashFixture, resumedAt, type ServerRun, seriesOf } from './crashFixture.ts'

/** An auction as its borrower sees it, by one call of the SDK. Times are Unix milliseconds. */
export type FollowedAuction = {
  askedAt: number
  startedAt: number | null
  closesAt: number | null
  rfqId: RfqId | null
  events: { event: RFQStreamEvent; at: number }[]
  /** Makes the same request the same auction. */
  idempotencyKey: string
  /** How often it was asked for by another call with the same key, because the SDK had given up before it was started. */
  repeats: number
  /** Why the SDK has given up; null while it has not. */
  error: unknown
  /** Resolves when the stream has ended, well or not. */
  ended: Promise<void>
}

/** How a borrower asks, where it is not by one call of the SDK as it comes. */
export type FollowHow = {
  client?: ServiceClientOptions
  idempotencyKey?: string
  idleTimeoutMs?: number
  /** Whether another call is made with the same key after this failure. */
  isRepeated?: (error: unknown, repeats: number) => boolean
}

/** Asks for quotes as any borrower does. */
export function followAuction(
  fixture: Pick<CrashFixture, 'devnet' | 'url'>,
  onEvent: (event: RFQStreamEvent) => void = () => {},
  {
    client: clientOptions = {},
    idempotencyKey = randomBytes(24).toString('base64url'),
    idleTimeoutMs,
    isRepeated = (error, repeats) => isNobodyThere(error) && repeats < mostRepeats,
  }: FollowHow = {},
): FollowedAuction {
  const auction: FollowedAuction = {
    askedAt: Date.now(),
    startedAt: null,
    closesAt: null,
    rfqId: null,
    events: [],
    idempotencyKey,
    repeats: 0,
    error: null,
    ended: Promise.resolve(),
  }
  const client = new ServiceClient({ orderbookUrl: fixture.url }, clientOptions)
  const request = { ...seriesOf(fixture), notional: askedNotional }
  const read = async () => {
    for await (const event of client.streamQuotes(request, { idempotencyKey, idleTimeoutMs })) {
      const at = Date.now()
      auction.events.push({ event, at })
      if (event.type === 'started') {
        auction.startedAt = at
        auction.rfqId = event.data.rfqId
        auction.closesAt = event.data.closesAt
      }
      onEvent(event)
    }
  }
  const readUntilStarted = async (): Promise<void> => {
    try {
      await read()
    } catch (error) {
      if (auction.startedAt !== null || !isRepeated(error, auction.repeats)) throw error
      auction.repeats += 1
      await readUntilStarted()
    }
  }
  auction.ended = readUntilStarted().catch((error: unknown) => {
    auction.error = error
  })
  return auction
}

const mostRepeats = serverCount === 1 ? 3 : 10

/**
 * Whether an auction was not opened for want of a server; a proxy says so by 502, whose body is not the service's, and a server that
 * does not reach its database by 503.
 */
function isNobodyThere(error: unknown): boolean {
  if (serverCount === 1) return error instanceof ConnectionError
  if (error instanceof StreamError) return isNobodyThere(error.cause)
  if (error instanceof ServiceError) return error.code === 'STORAGE_UNAVAILABLE'
  return error instanceof ConnectionError || (error instanceof InvalidResponseError && error.status === 502)
}

/** What a stream must have been: every event once, in order, to the end. Gives the end. */
export function expectWholeStream({ error, events }: FollowedAuction): RFQSummary {
  if (error !== null) throw new TypeError('A stream was not resumed to its end.', { cause: error })
  const types = events.map(({ event }) => event.type)
  expect(types).toEqual(['started', ...types.slice(1, -1).map(() => 'quote'), 'done'])
  const rfqId = events[0]?.event.id?.split(':')[0]
  expect(events.map(({ event }) => event.id)).toEqual(types.map((_, place) => `${rfqId}:${place}`))
  return events.at(-1)?.event.data as RFQSummary
}

/** What the store has of an auction must be what its borrower and its backers were told. Gives the result. */
export async function expectResultAsTold(
  fixture: Pick<CrashFixture, 'url'>,
  auction: FollowedAuction,
  byHash: ReadonlyMap<Hex, Submission>,
): Promise<RFQResult> {
  const done = expectWholeStream(auction)
  const result = await new ServiceClient({ orderbookUrl: fixture.url }).getRfq(done.rfqId)
  const streamed = auction.events.flatMap(({ event }) => (event.type === 'quote' ? [event.data] : []))
  const { closedAt, rejectedCount, interrupted, quotes } = result
  expect({ status: result.status, closedAt, rejectedCount, interrupted }).toEqual({
    status: 'closed',
    closedAt: done.closedAt,
    rejectedCount: done.rejectedCount,
    interrupted: done.interrupted,
  })
  expect(quotes.map(({ hash }) => hash)).toEqual(done.ranking)
  expect([...quotes].sort(byHashText)).toEqual([...streamed].sort(byHashText))
  expect(new Set(quotes.map(({ quote }) => quote.maker)).size).toBe(quotes.length)
  // One auction's quotes were all sent for one RFQ, and their makers know when they were received.
  expect(new Set(quotes.map(({ hash }) => byHash.get(hash)?.rfqId)).size).toBe(Math.min(quotes.length, 1))
  for (const { hash, receivedAt } of quotes) {
    expect({ hash, answer: byHash.get(hash)?.tries.at(-1)?.answer }).toEqual({
      hash,
      answer: { type: 'accepted', receivedAt },
    })
  }
  return result
}

/** Rows and acknowledgements agree: what was accepted once is in the result and stays accepted, what was refused is not. */
export function expectAnswersKept(backers: CrashBackers, results: readonly RFQResult[]): void {
  const inResult = new Set(results.flatMap(({ quotes }) => quotes.map(({ hash }) => hash)))
  expect(backers.doubleAnswers()).toBe(0)
  const wrong = backers.submissions.flatMap(({ hash, maker, tries }) => {
    const answers = tries.map(({ answer }) => answer)
    const final = answers.at(-1) ?? null
    const accepted = answers.filter((answer) => answer?.type === 'accepted').length
    const isRight =
      isFinal(final) &&
      answers.every((answer) => answer?.type !== 'timeout') &&
      accepted === (inResult.has(hash) ? 1 : 0) &&
      (accepted === 1 || (final?.type === 'rejected' && final.code === 'AUCTION_CLOSED'))
    return isRight ? [] : [{ hash, maker: maker.address, inResult: inResult.has(hash), answers }]
  })
  expect(wrong).toEqual([])
}

/** How an auction has ended: while the server was there all the time, or when it came back. */
export type CloseTiming = { kind: 'in time' | 'after a restart'; lateMs: number }

/**
 * How late an auction closes, in milliseconds: after its promise, and after the start that took it up. In a cluster another instance
 * closes it if the one that has opened it is gone, and what nobody has closed is left to the others for a while.
 */
const latest = serverCount === 1 ? { inTime: 250, afterStart: 1_000 } : { inTime: 3_000, afterStart: 3_500 }

/**
 * An auction closes in time if a server was there then, back in time or never gone; else soon after the start that took it up,
 * and says that it was interrupted.
 */
export function expectClosedInTime(
  { closesAt, closedAt, interrupted }: RFQResult,
  runs: readonly ServerRun[],
): CloseTiming {
  const end = closedAt ?? Number.POSITIVE_INFINITY
  const there = runs.some((run) => {
    const from = resumedAt(run)
    return from !== null && from < closesAt && (run.endedAt ?? Number.POSITIVE_INFINITY) > closesAt + latest.inTime
  })
  if (there) {
    expect(end - closesAt).toBeGreaterThanOrEqual(0)
    expect(end - closesAt).toBeLessThanOrEqual(latest.inTime)
    expect(interrupted).toBeUndefined()
    return { kind: 'in time', lateMs: end - closesAt }
  }
  // The process that was there at the deadline may have closed it just before it was killed.
  if (end - closesAt <= latest.inTime && interrupted === undefined) return { kind: 'in time', lateMs: end - closesAt }
  const starts = runs.flatMap((run) => {
    const at = resumedAt(run)
    return at !== null && at >= closesAt ? [at] : []
  })
  const lateMs = end - Math.min(...starts)
  expect(lateMs).toBeLessThanOrEqual(latest.afterStart)
  expect(interrupted).toBe(true)
  return { kind: 'after a restart', lateMs }
}

function byHashText(a: { hash: Hex }, b: { hash: Hex }): number {
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0
}
