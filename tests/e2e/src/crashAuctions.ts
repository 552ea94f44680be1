import { randomBytes } from 'node:crypto'
import type { RFQResult, RFQStreamEvent, RFQSummary, RfqId } from '@firmquote/core'
import { ConnectionError, ServiceClient, type ServiceClientOptions, ServiceError, StreamError } from '@firmquote/sdk'
import { serverCount } from '@firmquote/test-support/trial'
import { expect } from '@jest/globals'
import type { Hex } from 'viem'
import { type CrashBackers, type Submission, unsettled } from './crashBackers.ts'
import { askedNotional, type CrashFixture, resumedAt, type ServerRun, seriesOf } from './crashFixture.ts'

/** An auction as its borrower observes it through one SDK call. Times are in Unix milliseconds. */
export type FollowedAuction = ReturnType<typeof followAuction>

/** Options for a borrower that makes several SDK calls or changes the default options. */
export type FollowHow = {
  client?: ServiceClientOptions
  idempotencyKey?: string
  idleTimeoutMs?: number
  /** Whether to repeat the call with the same key after a failure. */
  isRepeated?: (error: unknown, repeats: number) => boolean
}

/** Requests quotes and follows the resulting auction, as a borrower does. */
export function followAuction(
  fixture: Pick<CrashFixture, 'devnet' | 'url'>,
  {
    client: clientOptions = {},
    idempotencyKey = randomBytes(24).toString('base64url'),
    idleTimeoutMs,
    isRepeated = (error, repeats) => isNobodyThere(error) && repeats < mostRepeats,
  }: FollowHow = {},
) {
  const auction = {
    startedAt: null as number | null,
    closesAt: null as number | null,
    rfqId: null as RfqId | null,
    events: [] as { event: RFQStreamEvent; at: number }[],
    /** Key of the request. A repeated request with this key joins the same auction. */
    idempotencyKey,
    /** Number of calls repeated with the same key because the SDK gave up before the auction started. */
    repeats: 0,
    /** The SDK's final error, or null. */
    error: null as unknown,
    /** Resolves once the stream has ended, with or without an error. */
    ended: Promise.resolve(),
  }
  const client = new ServiceClient({ orderbookUrl: fixture.url }, clientOptions)
  const request = { ...seriesOf(fixture), notional: askedNotional }
  const read = async (): Promise<void> => {
    try {
      for await (const event of client.streamQuotes(request, { idempotencyKey, idleTimeoutMs })) {
        // Progress is not repeated after a crash.
        if (event.type === 'progress') continue
        const at = Date.now()
        auction.events.push({ event, at })
        if (event.type !== 'started') continue
        const { rfqId, closesAt } = event.data
        Object.assign(auction, { startedAt: at, rfqId, closesAt })
      }
    } catch (error) {
      if (auction.startedAt !== null || !isRepeated(error, auction.repeats)) throw error
      auction.repeats += 1
      await read()
    }
  }
  auction.ended = read().catch((error: unknown) => {
    auction.error = error
  })
  return auction
}

const mostRepeats = serverCount === 1 ? 3 : 10

/**
 * Whether an auction failed to open because no server was available. If none is available, the proxy answers 503, as does
 * a server without its database.
 */
function isNobodyThere(error: unknown): boolean {
  if (serverCount === 1) return error instanceof ConnectionError
  if (error instanceof StreamError) return isNobodyThere(error.cause)
  if (error instanceof ServiceError) return ['STORAGE_UNAVAILABLE', 'OVERLOADED'].includes(error.code)
  return error instanceof ConnectionError
}

/** Checks the stored auction against what its borrower and backers received. Returns its result. */
export async function expectResultMatches(
  fixture: Pick<CrashFixture, 'url'>,
  { error, events }: FollowedAuction,
  { submissions }: Pick<CrashBackers, 'submissions'>,
): Promise<RFQResult> {
  if (error !== null) throw new TypeError('A stream was not resumed to its end.', { cause: error })
  // The stream is complete, and contains every event once and in order.
  const types = events.map(({ event }) => event.type)
  expect(types).toEqual(['started', ...types.slice(1, -1).map(() => 'quote'), 'done'])
  const done = events.at(-1)?.event.data as RFQSummary
  expect(events.map(({ event }) => event.id)).toEqual(types.map((_, place) => `${done.rfqId}:${place}`))

  const result = await new ServiceClient({ orderbookUrl: fixture.url }).getRfq(done.rfqId)
  const { quotes } = result
  const { closedAt, rejectedCount, interrupted } = done
  expect({ interrupted: undefined, ...result }).toMatchObject({
    status: 'closed',
    closedAt,
    rejectedCount,
    interrupted,
  })
  expect(quotes.map(({ hash }) => hash)).toEqual(done.ranking)
  const streamed = events.flatMap(({ event }) => (event.type === 'quote' ? [event.data] : []))
  expect([...quotes].sort(byHashText)).toEqual([...streamed].sort(byHashText))
  expect(new Set(quotes.map(({ quote }) => quote.maker)).size).toBe(quotes.length)
  // All of an auction's quotes were sent in response to one RFQ, and their makers received the acceptance times.
  const sent = new Map(submissions.map((submission) => [submission.hash, submission]))
  expect(new Set(quotes.map(({ hash }) => sent.get(hash)?.rfqId)).size).toBe(Math.min(quotes.length, 1))
  expect(quotes.map(({ hash }) => sent.get(hash)?.tries.at(-1)?.answer)).toEqual(
    quotes.map(({ receivedAt }) => ({ type: 'accepted', receivedAt })),
  )
  return result
}

/**
 * Waits for the auctions to end, then checks everything that clients received against the service. Returns the results.
 */
export async function expectAuctionsKept(
  fixture: Pick<CrashFixture, 'url'>,
  backers: CrashBackers,
  auctions: readonly FollowedAuction[],
): Promise<RFQResult[]> {
  await Promise.all(auctions.map(({ ended }) => ended))
  await backers.settled()
  const results = await Promise.all(auctions.map((auction) => expectResultMatches(fixture, auction, backers)))
  expectAnswersKept(backers, results)
  const answers = backers.submissions.flatMap(({ tries }) => tries.map(({ answer }) => answer?.type))
  expect(answers).not.toContain('timeout')
  return results
}

/**
 * Checks every message to a backer against the results. An acknowledged quote must appear in a result, with the
 * acceptance time that its backer was told. A rejected quote must have been too late and must not be in any result. All
 * backers must have received the same closing time and number of quotes.
 */
export function expectAnswersKept(backers: CrashBackers, results: readonly RFQResult[]): void {
  const kept = new Map(
    results.flatMap((result) => result.quotes.map(({ hash, receivedAt }) => [hash, { result, receivedAt }] as const)),
  )
  expect(kept.size).toBe(results.reduce((sum, { quotes }) => sum + quotes.length, 0))
  expect(backers.doubleAnswers).toBe(0)
  const keyOf = ({ maker, rfqId }: Pick<Submission, 'maker' | 'rfqId'>) => `${maker.address} ${rfqId}`
  const sent = new Map(backers.submissions.map((submission) => [keyOf(submission), submission]))
  const closes = new Map(
    backers.submissions.flatMap(({ hash, rfqId }) => {
      const found = kept.get(hash)
      return found ? [[rfqId, found.result] as const] : []
    }),
  )

  const wrong: unknown[] = []
  for (const { maker, message } of backers.received) {
    const { rfqId } = message
    const submission = sent.get(keyOf({ maker, rfqId }))
    const receivedAt = submission && kept.get(submission.hash)?.receivedAt
    let isRight: boolean
    if (message.type === 'auction_result') {
      const result = closes.get(rfqId)
      isRight =
        message.closedAt === (result?.closedAt ?? message.closedAt) &&
        message.quoteCount === (result?.quotes.length ?? 0) &&
        message.own?.hash === (receivedAt === undefined ? undefined : submission?.hash) &&
        (receivedAt === undefined || !['late', 'rejected'].includes(message.outcome ?? ''))
    } else if (message.status === 'accepted') {
      isRight = message.hash === submission?.hash && message.receivedAt === receivedAt
    } else {
      isRight = unsettled.has(message.code) || (receivedAt === undefined && message.code === 'AUCTION_CLOSED')
    }
    if (!isRight) wrong.push({ maker: maker.address, receivedAt, message })
  }
  for (const { maker, hash, tries } of backers.submissions) {
    const final = tries.at(-1)?.answer
    const isRight = kept.has(hash)
      ? final?.type === 'accepted'
      : final?.type === 'rejected' && final.code === 'AUCTION_CLOSED'
    if (!isRight) wrong.push({ maker: maker.address, hash, isKept: kept.has(hash), tries })
  }
  expect(wrong).toEqual([])
}

/**
 * Maximum delays of an auction's close, in milliseconds: after the promised close, and after the restart that restored
 * the auction. In a cluster, another instance closes the auction if its opener is late.
 */
const latest = serverCount === 1 ? { inTime: 250, afterStart: 1_000 } : { inTime: 3_000, afterStart: 3_500 }

/**
 * Checks that an auction closed on time if a server was running or restarted in time. Otherwise, the auction must have
 * closed soon after the restart, with `interrupted` set. Returns whether the auction closed on time.
 */
export function expectClosedInTime(
  { closesAt, closedAt, interrupted }: RFQResult,
  runs: readonly ServerRun[],
): boolean {
  const end = closedAt ?? Number.POSITIVE_INFINITY
  const there = runs.some((run) => {
    const from = resumedAt(run)
    return from !== null && from < closesAt && (run.endedAt ?? Number.POSITIVE_INFINITY) > closesAt + latest.inTime
  })
  // The process may have closed the auction just before the kill.
  if (there || (end - closesAt <= latest.inTime && interrupted === undefined)) {
    expect(end - closesAt).toBeGreaterThanOrEqual(0)
    expect(end - closesAt).toBeLessThanOrEqual(latest.inTime)
    expect(interrupted).toBeUndefined()
    return true
  }
  const starts = runs.map(resumedAt).filter((at) => at !== null && at >= closesAt)
  expect(end - Math.min(...(starts as number[]))).toBeLessThanOrEqual(latest.afterStart)
  expect(interrupted).toBe(true)
  return false
}

function byHashText(a: { hash: Hex }, b: { hash: Hex }): number {
  return a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0
}
