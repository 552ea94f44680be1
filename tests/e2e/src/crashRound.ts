import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQResult } from '@firmquote/core'
import type { Met } from '@firmquote/test-support/coverage'
import { serverCount } from '@firmquote/test-support/trial'
import { until } from '@firmquote/test-support/until'
import fc from 'fast-check'
import { expectAuctionsKept, expectClosedInTime, type FollowedAuction, followAuction } from './crashAuctions.ts'
import type { CrashBackers, Submission } from './crashBackers.ts'
import { type CrashFixture, resumedAt } from './crashFixture.ts'
import type { CrashProofs } from './crashProofs.ts'
import { arrayOf, table } from './rounds.ts'

/**
 * Moments when a round kills the server. In a cluster, every fourth kill affects all servers and occurs while auctions
 * are closing, so that no server remains to close them.
 */
export const killMoments = ['opening', 'opened', 'accepting', 'closing', 'anytime', 'restarting'] as const
export type KillMoment = (typeof killMoments)[number]

export const auctionCount = 10
export const backerCount = 20

/** A round's plan. Times are in milliseconds. */
export type CrashRound = {
  moment: KillMoment
  /** Time of each auction's request. */
  asks: readonly number[]
  /** Delay of each backer's answer to each RFQ, or null for no answer. */
  answers: readonly (readonly (number | null)[])[]
  /**
   * Index, among the events of this kind, of the one that triggers the kill. `offset` is the delay after that event.
   */
  which: number
  offset: number
  /**
   * When to kill the server during the restart, in thousandths of the shortest start time so far. Used only for
   * `restarting`.
   */
  again: number
}

/** Generates rounds with a kill at an event of this kind, and with auctions of this duration in milliseconds. */
export function crashRound(moment: KillMoment, auctionMs: number): fc.Arbitrary<CrashRound> {
  // The backers answer close together, so that the kill leaves some quotes unanswered.
  const latest = moment === 'accepting' ? 600 : auctionMs + 50
  const delay = fc.option(fc.nat(latest), { freq: 10, nil: null })
  return fc.record({
    moment: fc.constant(moment),
    asks: arrayOf(fc.nat(moment === 'opening' ? 20 : 400), auctionCount),
    answers: table(delay, backerCount, auctionCount),
    which: fc.nat(auctionCount - 1),
    // An auction starts within milliseconds of its request.
    offset: fc.nat(moment === 'anytime' || moment === 'restarting' ? auctionMs + 400 : moment === 'opening' ? 3 : 40),
    again: fc.nat(900),
  })
}

/** Minimum number of times that each case must occur in the trial. */
export const crashCases = {
  /** Quotes in results. */
  quotes: 1,
  /** Auctions requested but not started when the server was killed. */
  unstarted: 1,
  /** Auctions started but without quotes when the server was killed. */
  unquoted: 1,
  /** Quotes unanswered when the server was killed, and how many of them were accepted afterwards. */
  unanswered: 1,
  unansweredAccepted: 1,
  /** Auctions within 50 ms of their end when the server was killed. */
  closing: 1,
  /** Kills of a server that was not yet ready. */
  restarting: 1,
  /**
   * Quotes for an auction opened before the kill that were sent and accepted after the restart. In a cluster, backers
   * can send quotes before the restart.
   */
  acceptedAfterRestart: serverCount === 1 ? 1 : 0,
  /** Auctions open when the server was killed, by whether they closed on time. */
  closedInTimeAfterKill: 1,
  closedAtRestart: 1,
  /** Receipts whose promise was kept, and receipts that a kill had prevented. Clusters sign no receipts. */
  receipts: serverCount === 1 ? 1 : 0,
  receiptsAgain: serverCount === 1 ? 1 : 0,
}

/**
 * Kills the server during auctions and restarts it immediately. Afterwards, compares what clients received with what
 * the service returns. Returns the results, which must never change.
 */
export async function playCrashRound(
  fixture: CrashFixture,
  { backers, proofs }: { backers: CrashBackers; proofs: CrashProofs | null },
  round: CrashRound,
  met: Met<keyof typeof crashCases>,
): Promise<RFQResult[]> {
  backers.plan(round.answers)
  const began = Date.now()
  const auctions: FollowedAuction[] = []
  const asked = round.asks.map(async (delay) => {
    await sleep(delay)
    auctions.push(followAuction(fixture))
  })

  const started = () => auctions.filter(({ startedAt }) => startedAt !== null)
  switch (round.moment) {
    case 'opening':
      await until(() => auctions.length > round.which)
      await sleep(round.offset)
      break
    case 'opened':
      await until(() => started().length > round.which)
      break
    case 'accepting':
      await backers.accepted(1 + 10 * round.which + (round.offset % 10))
      break
    case 'closing': {
      await until(() => started().length > round.which)
      const closesAt = started()[round.which]?.closesAt ?? 0
      await sleep(Math.max(0, closesAt - 20 + round.offset - Date.now()))
      break
    }
    default:
      await sleep(round.offset)
  }

  const killedAt = Date.now()
  const killed = fixture.kill()
  // The open auctions are recorded now, before pending messages arrive.
  const openAtKill = new Set(auctions.filter(({ events }) => events.at(-1)?.event.type !== 'done'))
  const atKill = backers.inFlight()
  met('unstarted', auctions.filter(({ startedAt }) => startedAt === null).length)
  met('unquoted', started().filter(({ events }) => events.length === 1).length)
  met('unanswered', atKill.length)
  met('closing', started().filter(({ closesAt }) => Math.abs((closesAt ?? 0) - killedAt) <= 50).length)
  await killed

  // A start that is faster than all previous ones may complete before the kill. Each new attempt kills earlier.
  for (let share = round.again / 1_000, isMet = round.moment !== 'restarting'; !isMet; share /= 2) {
    const starts = fixture.runs.flatMap(({ spawnedAt, readyAt }) => (readyAt === null ? [] : [readyAt - spawnedAt]))
    const run = fixture.spawn()
    await Promise.race([sleep(share * Math.min(...starts)), run.ready])
    isMet = run.readyAt === null
    if (isMet) met('restarting')
    await fixture.kill()
  }
  const run = await fixture.start()
  await Promise.all(asked)
  const results = await expectAuctionsKept(fixture, backers, auctions)

  const goneMs = (run.readyAt ?? 0) - killedAt
  if (goneMs <= 2_000 && auctions.some(({ repeats }) => repeats > 0)) {
    throw new TypeError(`The SDK gave up opening an auction after ${goneMs} ms without a server.`)
  }

  // A request repeated with the same key must not open another auction.
  if (backers.seen.size > auctions.length) throw new TypeError('There are more auctions than requests.')

  const runs = fixture.runs.filter(({ endedAt }) => endedAt === null || endedAt >= began)
  for (const [index, result] of results.entries()) {
    const auction = auctions[index] as FollowedAuction
    if (!expectClosedInTime(result, runs)) met('closedAtRestart')
    else if (openAtKill.has(auction) && result.openedAt < killedAt) met('closedInTimeAfterKill')
  }
  const backAt = resumedAt(run) ?? Number.POSITIVE_INFINITY
  const openedAt = new Map(results.flatMap(({ quotes, openedAt: at }) => quotes.map(({ hash }) => [hash, at] as const)))
  met('quotes', openedAt.size)
  met('unansweredAccepted', atKill.filter(({ hash }) => openedAt.has(hash)).length)
  const isLateQuote = ({ hash, tries }: Submission) =>
    (tries[0]?.sentAt ?? 0) > backAt && (openedAt.get(hash) ?? Number.POSITIVE_INFINITY) < killedAt
  met('acceptedAfterRestart', backers.submissions.filter(isLateQuote).length)
  const proven = await proofs?.check(results, backers)
  met('receipts', proven?.receipts ?? 0)
  met('receiptsAgain', proven?.again ?? 0)
  return results
}
