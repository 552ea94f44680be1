import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQResult } from '@firmquote/core'
import { ConnectionError, ServiceClient, ServiceError, TimeoutError } from '@firmquote/sdk'
import type { Met } from '@firmquote/test-support/coverage'
import { expect } from '@jest/globals'
import fc from 'fast-check'
import {
  expectAnswersKept,
  expectResultMatches,
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

/** A fault with its start and duration in milliseconds. A killed instance remains down for a fifth of the duration. */
export type TimedFault = Fault & { at: number; lastsMs: number }

/** A round's plan. Times are in milliseconds. */
export type ClusterRound = {
  /** When each auction is requested, and the first instance to receive the request. */
  asks: readonly { at: number; first: number }[]
  /** Delay after which each request is repeated on another instance with the same key, or null if not. */
  repeats: readonly (number | null)[]
  /** Delay of each backer's answer to each RFQ, or null for no answer. */
  answers: readonly (readonly (number | null)[])[]
  /** Each instance's fault, or null if it has none. */
  faults: readonly (TimedFault | null)[]
}

const fault: fc.Arbitrary<TimedFault> = fc.record({
  kind: fc.constantFrom('kill', 'pause', 'postgres', 'nats', 'both'),
  mode: fc.constantFrom('hold', 'drop', 'cut'),
  at: fc.nat(auctionMs + 600),
  lastsMs: fc.integer({ min: 1_000, max: 5_000 }),
})

/** Generates rounds with a fault on at least one instance. */
export const clusterRound: fc.Arbitrary<ClusterRound> = fc.record({
  asks: arrayOf(fc.record({ at: fc.nat(600), first: fc.nat(2) }), auctionCount),
  repeats: arrayOf(fc.option(fc.nat(auctionMs), { freq: 2 }), auctionCount),
  answers: table(fc.option(fc.nat(auctionMs + 50), { freq: 10, nil: null }), backerCount, auctionCount),
  faults: arrayOf(fc.option(fault, { freq: 2 }), 3).filter((faults) => faults.some((given) => given !== null)),
})

/** Minimum number of times that each case must occur in the trial. */
export const clusterCases = {
  /** Quotes in results. */
  quotes: 1,
  /** Attempts to send a quote that went unanswered because the connection broke or the instance did not respond. */
  unanswered: 1,
  /** Auctions whose deadline passed while an instance was faulty. */
  closingAtFault: 1,
  /** Auctions that two borrowers with the same key follow. */
  followedTwice: 1,
}

/** Whether a borrower repeats its request with the same key because the auction has not started. */
export const isRepeated = (error: unknown, repeats: number) =>
  repeats < 20 &&
  (error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ServiceError && (error.status ?? 0) >= 500))

/**
 * Runs a round with faults during auctions. Afterwards, checks everything that clients received against every
 * instance's answers and the database rows. Returns the results, which must never change.
 *
 * @param before number of earlier auctions.
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
      throw new TypeError('The stream of a repeated request did not end.', { cause: again.error })
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
 * Waits for the auctions to end, then checks what clients received against all instances' answers and the database
 * rows. Returns the results.
 *
 * @param rows expected number of auctions; null for any number.
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

/** Checks every instance's result of an auction against what its borrower and backers received. */
async function expectSameEverywhere(
  { instances, url }: ClusterFixture,
  auction: FollowedAuction,
  backers: CrashBackers,
): Promise<RFQResult> {
  const { rfqId } = auction
  if (rfqId === null) throw new TypeError('An auction never started.', { cause: auction.error })
  const results = await Promise.all(instances.map((one) => new ServiceClient({ orderbookUrl: one.url }).getRfq(rfqId)))
  for (const result of results) expect(result).toEqual(results[0])
  return expectResultMatches({ url: instances[0]?.url ?? url }, auction, backers)
}

/**
 * Checks the rows. There must be one auction per request (any number if `auctions` is null), all of them closed, with
 * consecutive quote numbers.
 */
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
