import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQResult } from '@firmquote/core'
import { ConnectionError, ServiceClient, ServiceError, TimeoutError } from '@firmquote/sdk'
import type { Met } from '@firmquote/test-support/coverage'
import { expect } from '@jest/globals'
import fc from 'fast-check'
import {
  expectAnswersKept,
  expectResultAsTold,
  type FollowedAuction,
  type FollowHow,
  followAuction,
} from '../crashAuctions.ts'
import type { CrashBackers } from '../crashBackers.ts'
import { arrayOf, table } from '../rounds.ts'
import { beginFault, type ClusterFixture, type Fault } from './clusterFixture.ts'

export const auctionCount = 10
export const backerCount = 12
export const auctionMs = 3_000

/** A fault, when it begins, and how long it lasts; one that was killed is away for a fifth of that. */
export type TimedFault = Fault & { at: number; lastsMs: number }

/** What happens in a round. Times in milliseconds. */
export type ClusterRound = {
  /** When each auction is asked for, and on which instance first. */
  asks: readonly { at: number; first: number }[]
  /** Requests that are made once more with their key, on another instance, so long after the first. */
  repeats: readonly (number | null)[]
  /** When each backer answers each RFQ that it sees; null: not at all. */
  answers: readonly (readonly (number | null)[])[]
  /** What happens to each instance; null: nothing. */
  faults: readonly (TimedFault | null)[]
}

const fault: fc.Arbitrary<TimedFault> = fc.record({
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

/** How often the trial wants to have met what, at least. */
export const clusterCases = {
  /** Quotes in results. */
  quotes: 1,
  /** Tries of a quote without an answer: the connection broke, or the instance was silent. */
  unanswered: 1,
  /** Auctions in which some instance was at fault at the deadline. */
  closingAtFault: 1,
  /** Auctions that two borrowers have followed by one key. */
  followedTwice: 1,
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
 *
 * @param before how many auctions there were before.
 */
export async function playClusterRound(
  fixture: ClusterFixture,
  backers: CrashBackers,
  round: ClusterRound,
  { met, before }: { met: Met<keyof typeof clusterCases>; before: number },
): Promise<RFQResult[]> {
  backers.plan(round.answers)
  const follow = (first: number, how: FollowHow = {}) =>
    followAuction(fixture, { client: fixture.borrowerFrom(first), idleTimeoutMs: 6_000, isRepeated, ...how })
  const faulty = round.faults.map(async (given, index) => {
    const instance = fixture.instances[index]
    if (!given || !instance) return { from: Number.POSITIVE_INFINITY, to: 0 }
    await sleep(given.at)
    const from = Date.now()
    const end = await beginFault(instance, given)
    await sleep(given.kind === 'kill' ? given.lastsMs / 5 : given.lastsMs)
    await end()
    return { from, to: Date.now() }
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
  const faults = await Promise.all(faulty)
  const told = auctions.map(({ auction }) => auction)
  const results = await expectKept(fixture, backers, told, before + auctions.length)
  for (const { auction, again } of auctions) {
    if (!again) continue
    met('followedTwice')
    await again.ended
    if (again.error !== null)
      throw new TypeError('A stream by the same key did not come to its end.', { cause: again.error })
    expect(again.events.map(({ event }) => event)).toEqual(auction.events.map(({ event }) => event))
  }
  for (const { closesAt, quotes } of results) {
    met('quotes', quotes.length)
    if (faults.some(({ from, to }) => from <= closesAt && closesAt <= to)) met('closingAtFault')
  }
  const answers = backers.submissions.flatMap(({ tries }) => tries.map(({ answer }) => answer?.type))
  met('unanswered', answers.filter((type) => type === 'broken' || type === 'timeout').length)
  return results
}

/**
 * Waits for the end of auctions; then what everyone was told is what all instances and the rows have. Gives the results.
 *
 * @param rows how many auctions there are; null: any number.
 */
export async function expectKept(
  fixture: ClusterFixture,
  backers: CrashBackers,
  auctions: readonly FollowedAuction[],
  rows: number | null,
): Promise<RFQResult[]> {
  await Promise.all(auctions.map(({ ended }) => ended))
  await fixture.allReady()
  await backers.settled()
  const results: RFQResult[] = []
  for (const auction of auctions) results.push(await expectSameEverywhere(fixture, auction, backers))
  expectAnswersKept(backers, results)
  await expectRows(fixture, rows)
  return results
}

/** An auction's result is what its borrower and its backers were told, and the same on every instance. */
async function expectSameEverywhere(
  { instances, url }: ClusterFixture,
  auction: FollowedAuction,
  backers: CrashBackers,
): Promise<RFQResult> {
  const { rfqId } = auction
  if (rfqId === null) throw new TypeError('An auction was never started.', { cause: auction.error })
  const results = await Promise.all(instances.map((one) => new ServiceClient({ orderbookUrl: one.url }).getRfq(rfqId)))
  for (const result of results) expect(result).toEqual(results[0])
  return expectResultAsTold({ url: instances[0]?.url ?? url }, auction, backers)
}

/** The rows themselves: each request is one auction (null: any number), all are closed, and the places of their quotes have no gap. */
async function expectRows(fixture: ClusterFixture, auctions: number | null): Promise<void> {
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
