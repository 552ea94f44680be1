import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQResult } from '@firmquote/core'
import fc from 'fast-check'
import {
  expectAnswersKept,
  expectClosedInTime,
  expectResultAsTold,
  type FollowedAuction,
  followAuction,
} from './crashAuctions.ts'
import type { CrashBackers } from './crashBackers.ts'
import { type CrashFixture, resumedAt } from './crashFixture.ts'
import { arrayOf, table } from './rounds.ts'

/** When in a round the server is killed. Of a cluster every fourth kill is of all: while auctions close, so that nobody closes them. */
export const killMoments = ['opening', 'opened', 'accepting', 'closing', 'anytime', 'restarting'] as const
export type KillMoment = (typeof killMoments)[number]

export const auctionCount = 10
export const backerCount = 20

/** What happens in a round. Times in milliseconds. */
export type CrashRound = {
  moment: KillMoment
  /** When each auction is asked for. */
  asks: readonly number[]
  /** When each backer answers each RFQ that it sees; null: not at all. */
  answers: readonly (readonly (number | null)[])[]
  /** Which of the moments of this kind it is, and how long after it. */
  which: number
  offset: number
  /** How far into the restart the server is killed again, in thousandths of the shortest start so far; only of `restarting`. */
  again: number
}

/** Any round that kills at a moment of this kind, in auctions that are open for so many milliseconds. */
export function crashRound(moment: KillMoment, auctionMs: number): fc.Arbitrary<CrashRound> {
  // Close together where the kill has to meet some without an answer.
  const latest = moment === 'accepting' ? 600 : auctionMs + 50
  const delay = fc.option(fc.nat(latest), { freq: 10, nil: null })
  return fc.record({
    moment: fc.constant(moment),
    asks: arrayOf(fc.nat(moment === 'opening' ? 20 : 400), auctionCount),
    answers: table(delay, backerCount, auctionCount),
    which: fc.nat(auctionCount - 1),
    offset: fc.nat(moment === 'anytime' || moment === 'restarting' ? auctionMs + 400 : 40),
    again: fc.nat(900),
  })
}

/** Nothing met yet: how many auctions, quotes and kills were where the trial wants to have seen some. */
export const noCounts = () => ({
  auctions: 0,
  quotes: 0,
  /** Auctions asked for and not started at the kill. */
  unstarted: 0,
  /** Auctions started and without a quote at the kill. */
  unquoted: 0,
  /** Quotes without an answer at the kill; of these, accepted or too late afterwards. */
  unanswered: 0,
  unansweredAccepted: 0,
  unansweredClosed: 0,
  /** Auctions within 50 ms of their end at the kill. */
  closing: 0,
  /** Kills of a server that was not ready yet. */
  restarting: 0,
  /** Quotes sent after a restart for an auction of before, and accepted. */
  acceptedAfterRestart: 0,
  closedInTime: 0,
  /** Of those that closed in time, the ones that were open at a kill. */
  closedInTimeAfterKill: 0,
  closedAtRestart: 0,
  /** The latest close after its promise, and the latest after the start that took it up, in milliseconds. */
  latestInTimeMs: 0,
  latestAfterStartMs: 0,
  latestRestartMs: 0,
  /** Auctions that the SDK gave up to open, which it may when nobody is there for more than two seconds. */
  askedByHand: 0,
})

/**
 * Kills the server in the middle of auctions, starts it again at once, and holds what everyone was told against what the
 * service has afterwards. Gives the results, which must never change again.
 */
export async function playCrashRound(
  fixture: CrashFixture,
  backers: CrashBackers,
  round: CrashRound,
  counts: ReturnType<typeof noCounts>,
): Promise<RFQResult[]> {
  backers.plan(round.answers)
  const began = Date.now()
  const auctions: FollowedAuction[] = []
  let wake = () => {}
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const asked = round.asks.map(async (delay) => {
    await sleep(delay)
    auctions.push(followAuction(fixture, () => wake()))
    wake()
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
  // As it was at this moment: nothing that was on its way has arrived yet.
  const openAtKill = new Set(auctions.filter(({ events }) => events.at(-1)?.event.type !== 'done'))
  const atKill = backers.submissions.filter(({ tries }) => tries.length > 0 && tries.at(-1)?.answer === null)
  counts.unstarted += auctions.filter(({ startedAt }) => startedAt === null).length
  counts.unquoted += started().filter(({ events }) => events.length === 1).length
  counts.unanswered += atKill.length
  counts.closing += started().filter(({ closesAt }) => Math.abs((closesAt ?? 0) - killedAt) <= 50).length
  await killed

  // A start may be quicker than all before it, and over too early to be met: then the next one is met sooner.
  for (let share = round.again / 1_000, met = round.moment !== 'restarting'; !met; share /= 2) {
    const starts = fixture.runs.flatMap(({ spawnedAt, readyAt }) => (readyAt === null ? [] : [readyAt - spawnedAt]))
    const run = fixture.spawn()
    await Promise.race([sleep(share * Math.min(...starts)), run.program.says(/^ready http/m)])
    met = run.readyAt === null
    if (met) counts.restarting += 1
    await fixture.kill()
  }
  const run = await fixture.start()
  counts.latestRestartMs = Math.max(counts.latestRestartMs, (run.readyAt ?? 0) - run.spawnedAt)

  await Promise.all(asked)
  await Promise.all(auctions.map(({ ended }) => ended))
  await backers.settled()

  counts.askedByHand += auctions.filter(({ repeats }) => repeats > 0).length
  const goneMs = (run.readyAt ?? 0) - killedAt
  if (goneMs <= 2_000 && auctions.some(({ repeats }) => repeats > 0)) {
    throw new TypeError(`The SDK has given up to open an auction in ${goneMs} ms without a server.`)
  }

  const byHash = new Map(backers.submissions.map((submission) => [submission.hash, submission]))
  const results = await Promise.all(auctions.map((auction) => expectResultAsTold(fixture, auction, byHash)))
  expectAnswersKept(backers, results)
  // A request that was sent again is still one auction.
  if (backers.seen.size > auctions.length) throw new TypeError('There are more auctions than were asked for.')

  const runs = fixture.runs.filter(({ endedAt }) => endedAt === null || endedAt >= began)
  for (const [index, result] of results.entries()) {
    const { kind, lateMs } = expectClosedInTime(result, runs)
    const auction = auctions[index]
    if (kind === 'in time') {
      counts.closedInTime += 1
      if (auction && openAtKill.has(auction) && result.openedAt < killedAt) counts.closedInTimeAfterKill += 1
      counts.latestInTimeMs = Math.max(counts.latestInTimeMs, lateMs)
    } else {
      counts.closedAtRestart += 1
      counts.latestAfterStartMs = Math.max(counts.latestAfterStartMs, lateMs)
    }
  }
  const backAt = resumedAt(run) ?? Number.POSITIVE_INFINITY
  const openedAt = new Map(
    results.flatMap((result) => result.quotes.map(({ hash }) => [hash, result.openedAt] as const)),
  )
  counts.auctions += auctions.length
  counts.quotes += openedAt.size
  counts.unansweredAccepted += atKill.filter(({ hash }) => openedAt.has(hash)).length
  counts.unansweredClosed += atKill.filter(({ hash }) => !openedAt.has(hash)).length
  counts.acceptedAfterRestart += backers.submissions.filter(
    ({ hash, tries }) =>
      (tries[0]?.sentAt ?? 0) > backAt &&
      (openedAt.get(hash) ?? Number.POSITIVE_INFINITY) < killedAt &&
      began < killedAt,
  ).length
  return results
}
