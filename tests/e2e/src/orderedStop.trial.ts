import { setTimeout as sleep } from 'node:timers/promises'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { expectAuctionsKept, type FollowedAuction, followAuction } from './crashAuctions.ts'
import { type CrashBackers, connectCrashBackers } from './crashBackers.ts'
import { type CrashFixture, logEntries, seriesOf, startCrashFixture } from './crashFixture.ts'
import { auctionCount, backerCount } from './crashRound.ts'
import { refusalOf, sendRaw } from './rawRequests.ts'
import { arrayOf, draw, playRound, table } from './rounds.ts'
import { stopAfter } from './stopAfter.ts'

// An operator stops a server under load with SIGTERM while the next process waits for the directory. Each round checks
// the following. `/readyz` returns 503 as soon as the signal is handled. Open auctions run to completion and close on
// time. Every pending quote is answered. The process exits with status 0. New requests receive OVERLOADED or, for at
// most two seconds, reach no server. The SDK nevertheless opens its auction.

const stops = 5 * rounds
const auctionMs = 1_500
/** Milliseconds between new requests. */
const askEveryMs = 25

const started = stopAfter(afterEach)

type StopRound = {
  asks: readonly number[]
  answers: readonly (readonly (number | null)[])[]
  stopAfter: number
  /** When two more borrowers send requests, measured from the signal. */
  later: readonly number[]
}

const stopRound: fc.Arbitrary<StopRound> = fc.record({
  asks: arrayOf(fc.nat(400), auctionCount),
  // Backers may answer until the auction's end. Late quotes are rejected as late.
  answers: table(fc.option(fc.nat(auctionMs), { freq: 10, nil: null }), backerCount, auctionCount),
  stopAfter: fc.integer({ min: 50, max: auctionMs }),
  later: arrayOf(fc.nat(1_000), 2),
})

/** What a polling client observes after the signal. `at` is in Unix milliseconds. */
type Seen = { at: number; ready: string; rfq: string }

test(
  `behavior: stopped ${stops} times under load, a server completes all its work, and the next one takes over`,
  async () => {
    const settings = { AUCTION_DURATION_MS: String(auctionMs), LOG_LEVEL: 'info' }
    const fixture = started(await startCrashFixture({ makers: backerCount, settings }))
    const { readyAt, spawnedAt } = await fixture.start()
    // The allowed gap is twice the server's start time, and at least two seconds.
    const longestGapAllowedMs = Math.max(2_000, 2 * ((readyAt ?? 0) - spawnedAt))
    const backers = started(await connectCrashBackers(fixture))
    const counts = { auctions: 0, openAtStop: 0, quotesAfterStop: 0, overloaded: 0, refused: 0, later: 0, tries: 0 }
    let longestGapMs = 0
    let latestCloseMs = 0
    for (let stop = 0; stop < stops; stop += 1) {
      const play = () => playStop(fixture, backers, draw(stopRound, seed + stop), counts)
      const { gapMs, closeMs } = await playRound(play, () => `stop ${stop} of --seed ${seed}`)
      longestGapMs = Math.max(longestGapMs, gapMs)
      expect(gapMs).toBeLessThanOrEqual(longestGapAllowedMs)
      latestCloseMs = Math.max(latestCloseMs, closeMs)
    }
    const figures = JSON.stringify({ ...counts, longestGapMs, longestGapAllowedMs, latestCloseMs })
    process.stdout.write(`orderedStop.trial: ${stops} stops, --seed ${seed}: ${figures}\n`)
    for (const [reached, count] of Object.entries(counts)) expect({ [reached]: count }).not.toEqual({ [reached]: 0 })
  },
  60_000 + 30_000 * stops,
)

async function playStop(
  fixture: CrashFixture,
  backers: CrashBackers,
  round: StopRound,
  counts: Record<'auctions' | 'openAtStop' | 'quotesAfterStop' | 'overloaded' | 'refused' | 'later' | 'tries', number>,
): Promise<{ gapMs: number; closeMs: number }> {
  backers.plan(round.answers)
  const before: FollowedAuction[] = []
  const asked = round.asks.map(async (delay) => {
    await sleep(delay)
    if (!stopped) before.push(followAuction(fixture))
  })
  let stopped = false
  await sleep(round.stopAfter)
  stopped = true
  const old = fixture.current()
  const stoppedAt = Date.now()
  old.endedAt = stoppedAt
  old.program.child.kill('SIGTERM')
  const opened = before.filter(({ startedAt }) => startedAt !== null)
  const later = round.later.map(async (delay) => {
    await sleep(delay)
    return followAuction(fixture)
  })

  const seen: Seen[] = []
  let asking = true
  const askAnew = async () => {
    while (asking) {
      const at = Date.now()
      const [ready, rfq] = await Promise.all([
        sendRaw(`${fixture.url}/readyz`),
        sendRaw(`${fixture.url}/api/v1/rfq/quote/stream`, { body: { ...seriesOf(fixture), notional: '1000000000' } }),
      ])
      seen.push({ at, ready: refusalOf(ready) ?? 'ready', rfq: refusalOf(rfq) ?? 'opened' })
      await sleep(Math.max(0, at + askEveryMs - Date.now()))
    }
  }
  const askedAnew = askAnew()

  try {
    await startWhenFree(fixture, counts)
    expect(await old.program.ended).toBe(0)
    // Waits until requests can open auctions again.
    while (seen.at(-1)?.rfq !== 'opened') await sleep(askEveryMs)
  } finally {
    asking = false
    await askedAnew
  }
  await Promise.all(asked)
  const auctions = [...before, ...(await Promise.all(later))]
  const results = await expectAuctionsKept(fixture, backers, auctions)
  // All auctions that were open ran to completion.
  expect(logEntries(old, 'open auctions will be resumed at the next start')).toEqual([])
  let closeMs = 0
  for (const auction of opened) {
    const done = auction.events.at(-1)
    const late = (done?.at ?? Number.POSITIVE_INFINITY) - (auction.closesAt ?? 0)
    closeMs = Math.max(closeMs, late)
    expect(late).toBeLessThanOrEqual(250)
    expect(results.find(({ rfqId }) => rfqId === auction.rfqId)?.interrupted).toBeUndefined()
  }
  const unanswered = backers.submissions.flatMap(({ closesAt, tries }) =>
    tries.filter(({ sentAt, answer }) => sentAt < closesAt && answer?.type === 'broken' && answer.sent === 'maybe'),
  )
  expect(unanswered).toEqual([])

  // The gap lasts from the stop until the next process was ready.
  const gapMs = expectQuietRestart(seen, stoppedAt)
  counts.auctions += auctions.length
  counts.openAtStop += opened.filter(({ closesAt }) => (closesAt ?? 0) > stoppedAt).length
  counts.quotesAfterStop += backers.submissions.filter(({ tries }) =>
    tries.some(({ sentAt, answer }) => sentAt > stoppedAt && answer?.type === 'accepted'),
  ).length
  counts.overloaded += seen.filter(({ rfq }) => rfq === 'OVERLOADED').length
  counts.refused += seen.filter(({ rfq }) => rfq === 'ECONNREFUSED').length
  counts.later += later.length
  return { gapMs, closeMs }
}

/**
 * Acts as a supervisor that starts a new process before the old one has ended. Restarts the next process until the
 * directory is free.
 */
async function startWhenFree(fixture: CrashFixture, counts: { tries: number }): Promise<void> {
  for (;;) {
    const run = fixture.spawn()
    counts.tries += 1
    const code = await run.program.says(/^ready http/m).then(
      () => 'ready',
      () => run.program.ended,
    )
    if (code === 'ready') return
    expect({ code, said: run.program.text.err }).toEqual({
      code: 1,
      said: expect.stringMatching(/^Another server is using .*: process \d+, since .*\n$/),
    })
  }
}

/**
 * Checks that clients observed nothing worse than a restart of the server. Returns how long all servers were
 * unreachable, in milliseconds.
 */
function expectQuietRestart(seen: readonly Seen[], stoppedAt: number): number {
  const refused = /^(?:OVERLOADED|ECONNREFUSED|ECONNRESET)$/
  let goneSince: number | null = null
  let gapMs = 0
  let back = false
  // Ignores requests sent before the signal handler ran. Requests concurrent with the signal may be answered either
  // way.
  const handled = seen.findIndex(({ rfq, ready }) => refused.test(rfq) || refused.test(ready))
  expect((seen[handled]?.at ?? Number.NaN) - stoppedAt).toBeLessThan(1_000)
  for (const { at, ready, rfq } of seen.slice(handled + 1)) {
    const isGone = rfq === 'ECONNREFUSED' || rfq === 'ECONNRESET'
    // The next process may become ready in time for one of two concurrent requests but too late for the other.
    if (isGone && ready !== 'ready') goneSince ??= at
    else if (goneSince !== null) {
      gapMs = Math.max(gapMs, at - goneSince)
      back = true
    }
    if (back) continue
    expect({ rfq, ready }).toEqual({ rfq: expect.stringMatching(refused), ready: expect.stringMatching(refused) })
  }
  return gapMs
}
