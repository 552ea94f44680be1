import { setTimeout as sleep } from 'node:timers/promises'
import type { PublicRfqId, RFQResult } from '@firmquote/core'
import { ConnectionError, ServiceClient, ServiceError, TimeoutError } from '@firmquote/sdk'
import { expect } from '@jest/globals'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { expectResultAsTold, type FollowedAuction, type FollowHow, followAuction } from '../crashAuctions.ts'
import { type CrashBackers, isFinal, type Submission, unsettled } from '../crashBackers.ts'
import { arrayOf, table } from '../rounds.ts'
import type { ClusterFixture, FixtureInstance } from './clusterFixture.ts'

export const auctionCount = 10
export const backerCount = 12
export const auctionMs = 3_000

/** What can happen to an instance. `links` is what it is cut off from. */
export type Fault = {
  kind: 'kill' | 'pause' | 'postgres' | 'nats' | 'both'
  mode: 'hold' | 'drop' | 'cut'
  at: number
  lastsMs: number
}

/** What happens in a round. Times in milliseconds. */
export type ClusterRound = {
  /** When each auction is asked for, and on which instance first. */
  asks: readonly { at: number; first: number }[]
  /** Requests that are made once more with their key, on another instance, so long after the first. */
  repeats: readonly (number | null)[]
  /** When each backer answers each RFQ that it sees; null: not at all. */
  answers: readonly (readonly (number | null)[])[]
  /** What happens to each instance; null: nothing. */
  faults: readonly (Fault | null)[]
}

const fault: fc.Arbitrary<Fault> = fc.record({
  kind: fc.constantFrom('kill', 'pause', 'postgres', 'nats', 'both'),
  mode: fc.constantFrom('hold', 'drop', 'cut'),
  at: fc.nat(auctionMs + 600),
  lastsMs: fc.integer({ min: 1_000, max: 5_000 }),
})

/** Any round in which something happens to one instance at least. */
export const clusterRound: fc.Arbitrary<ClusterRound> = fc.record({
  asks: arrayOf(fc.record({ at: fc.nat(600), first: fc.nat(2) }), auctionCount),
  repeats: arrayOf(fc.option(fc.nat(auctionMs), { freq: 2 }), auctionCount),
  answers: table(fc.option(fc.nat(auctionMs + 50), { freq: 10, nil: null }), backerCount, auctionCount),
  faults: arrayOf(fc.option(fault, { freq: 2 }), 3).filter((faults) => faults.some((given) => given !== null)),
})

/** Nothing met yet. */
export const noClusterCounts = () => ({
  auctions: 0,
  quotes: 0,
  faults: { kill: 0, pause: 0, postgres: 0, nats: 0, both: 0 },
  /** Tries of a quote without an answer: the connection broke, or the instance was silent. */
  unanswered: 0,
  /** Of the quotes that had one, those that are in the result, and those that are not. */
  unansweredAccepted: 0,
  unansweredClosed: 0,
  /** Auctions in which some instance was at fault at the deadline. */
  closingAtFault: 0,
  /** Auctions that two borrowers have followed by one key. */
  followedTwice: 0,
  /** When results were written after their promise, in milliseconds. */
  lateMs: [] as number[],
})

/** Has a fault begin and end. Gives when, Unix milliseconds. */
async function playFault(fixture: ClusterFixture, instance: FixtureInstance, { kind, mode, at, lastsMs }: Fault) {
  await sleep(at)
  const from = Date.now()
  if (kind === 'kill') {
    await instance.kill()
    await sleep(lastsMs / 5)
    await instance.start()
  } else if (kind === 'pause') {
    await instance.pause()
    await sleep(lastsMs)
    await instance.resume()
  } else {
    const which = kind === 'both' ? (['postgres', 'nats'] as const) : [kind]
    fixture.setLinks(instance, which, mode)
    await sleep(lastsMs)
    fixture.setLinks(instance, which, 'pass')
  }
  return { from, to: Date.now() }
}

/** A borrower of a cluster asks again with its key until its auction has started. */
export const isRepeated = (error: unknown, repeats: number) =>
  repeats < 20 &&
  (error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ServiceError && (error.status ?? 0) >= 500))

/**
 * Has faults happen to instances in the middle of auctions, and holds what everyone was told against what every instance and the
 * rows say afterwards. Gives the results, which must never change again.
 */
export async function playClusterRound(
  fixture: ClusterFixture,
  backers: CrashBackers,
  round: ClusterRound,
  counts: ReturnType<typeof noClusterCounts>,
): Promise<RFQResult[]> {
  backers.plan(round.answers)
  const follow = (first: number, how: FollowHow = {}) =>
    followAuction(fixture, () => {}, { client: fixture.borrowerFrom(first), idleTimeoutMs: 6_000, isRepeated, ...how })
  const faulty = round.faults.map(async (given, index) => {
    const instance = fixture.instances[index]
    if (!given || !instance) return null
    counts.faults[given.kind] += 1
    return playFault(fixture, instance, given)
  })
  const followed = round.asks.map(async ({ at, first }, index) => {
    await sleep(at)
    const auction = follow(first)
    const after = round.repeats[index] ?? null
    if (after === null) return { auction, again: null }
    await sleep(after)
    return { auction, again: follow(first + 1, { idempotencyKey: auction.idempotencyKey }) }
  })
  const auctions = await Promise.all(followed)
  const faults = (await Promise.all(faulty)).filter((given) => given !== null)
  await Promise.all(auctions.flatMap(({ auction, again }) => [auction.ended, again?.ended]))
  await backers.settled()
  await fixture.allReady()

  const byHash = new Map(backers.submissions.map((submission) => [submission.hash, submission]))
  const results = await Promise.all(auctions.map(({ auction }) => expectSameEverywhere(fixture, auction, byHash)))
  for (const { auction, again } of auctions) {
    if (!again) continue
    counts.followedTwice += 1
    if (again.error !== null)
      throw new TypeError('A stream by the same key did not come to its end.', { cause: again.error })
    expect(again.events.map(({ event }) => event)).toEqual(auction.events.map(({ event }) => event))
  }
  expectHeardAgrees(backers, results)
  await expectRows(fixture, counts.auctions + auctions.length)

  counts.auctions += results.length
  for (const { closesAt, closedAt, quotes } of results) {
    counts.quotes += quotes.length
    counts.lateMs.push((closedAt ?? Number.POSITIVE_INFINITY) - closesAt)
    if (faults.some(({ from, to }) => from <= closesAt && closesAt <= to)) counts.closingAtFault += 1
  }
  const inResult = new Set(results.flatMap(({ quotes }) => quotes.map(({ hash }) => hash)))
  for (const { hash, tries } of backers.submissions) {
    const broken = tries.filter(({ answer }) => answer?.type === 'broken' || answer?.type === 'timeout').length
    counts.unanswered += broken
    if (broken === 0) continue
    if (inResult.has(hash)) counts.unansweredAccepted += 1
    else counts.unansweredClosed += 1
  }
  return results
}

/** An auction's result is what its borrower and its backers were told, and the same on every instance. */
export async function expectSameEverywhere(
  fixture: ClusterFixture,
  auction: FollowedAuction,
  byHash: ReadonlyMap<Hex, Submission>,
): Promise<RFQResult> {
  if (auction.rfqId === null) throw new TypeError('An auction was never started.', { cause: auction.error })
  const { rfqId } = auction
  const results = await Promise.all(
    fixture.instances.map(({ url }) => new ServiceClient({ orderbookUrl: url }).getRfq(rfqId)),
  )
  for (const result of results) expect(result).toEqual(results[0])
  return expectResultAsTold({ url: fixture.instances[0]?.url ?? fixture.url }, auction, byHash)
}

/**
 * Every message that any backer has heard agrees with the results: an acknowledged quote is in one, with the time that was said; a
 * quote that was refused is in none; all who heard of a close heard of the same.
 */
export function expectHeardAgrees(backers: CrashBackers, results: readonly RFQResult[]): void {
  const kept = new Map(
    results.flatMap(({ quotes }) => quotes.map(({ hash, receivedAt }) => [hash, receivedAt] as const)),
  )
  expect(kept.size).toBe(results.reduce((sum, { quotes }) => sum + quotes.length, 0))
  const sent = new Map(backers.submissions.map((submission) => [keyOf(submission), submission]))
  const closes = new Map<PublicRfqId, RFQResult>()
  for (const result of results) {
    for (const { hash } of result.quotes) {
      const submission = backers.submissions.find((known) => known.hash === hash)
      if (submission) closes.set(submission.rfqId, result)
    }
  }
  expect(backers.doubleAnswers()).toBe(0)

  const wrong: unknown[] = []
  for (const { maker, message } of backers.heard) {
    const { rfqId } = message
    const submission = sent.get(keyOf({ maker, rfqId }))
    const receivedAt = submission && kept.get(submission.hash)
    if (message.type === 'quote_ack') {
      const isRight =
        message.status === 'accepted'
          ? message.hash === submission?.hash && message.receivedAt === receivedAt
          : receivedAt === undefined
            ? message.code === 'AUCTION_CLOSED' || unsettled.has(message.code)
            : unsettled.has(message.code)
      if (!isRight) wrong.push({ maker: maker.address, receivedAt, message })
    } else {
      const result = closes.get(rfqId)
      const isRight =
        message.closedAt === (result?.closedAt ?? message.closedAt) &&
        message.quoteCount === (result?.quotes.length ?? 0) &&
        message.own?.hash === (receivedAt === undefined ? undefined : submission?.hash) &&
        (receivedAt === undefined || !['late', 'rejected'].includes(message.outcome ?? ''))
      if (!isRight) wrong.push({ maker: maker.address, receivedAt, message })
    }
  }
  for (const { maker, hash, tries } of backers.submissions) {
    const answers = tries.map(({ answer }) => answer)
    const final = answers.at(-1) ?? null
    if (!isFinal(final) || (final?.type === 'accepted') !== kept.has(hash)) {
      wrong.push({ maker: maker.address, hash, isKept: kept.has(hash), answers })
    }
  }
  expect(wrong).toEqual([])
}

function keyOf({ maker, rfqId }: Pick<Submission, 'maker' | 'rfqId'>): string {
  return `${maker.address} ${rfqId}`
}

/** The rows themselves: each request is one auction (null: any number), all are closed, and the places of their quotes have no gap. */
export async function expectRows(fixture: ClusterFixture, auctions: number | null): Promise<void> {
  const { postgres } = fixture.cluster
  const [row] = await postgres.query(
    `select count(*)::int as auctions, (count(*) filter (where state <> 'closed'))::int as open,
      (count(*) filter (where last_seq <> (select count(*) from auction_quotes where auction_id = auctions.id)
        or last_seq <> (select coalesce(max(seq), 0) from auction_quotes where auction_id = auctions.id)))::int as gaps,
      (select count(*) - count(distinct hash) from auction_quotes)::int as twice,
      (select count(*) - count(distinct (auction_id, maker)) from auction_quotes)::int as seconds
    from auctions`,
    postgres.url,
  )
  expect(row).toEqual({ auctions: auctions ?? row?.['auctions'], open: 0, gaps: 0, twice: 0, seconds: 0 })
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** The median, the 99th percentile and the greatest of some milliseconds, in words. */
export function describeMs(values: readonly number[]): string {
  return `p50 ${quantile(values, 0.5)}, p99 ${quantile(values, 0.99)}, worst ${Math.max(...values)} ms`
}
