import { setTimeout as sleep } from 'node:timers/promises'
import type { RFQResult } from '@firmquote/core'
import { systemClock } from '@firmquote/core/utils'
import { ServiceClient } from '@firmquote/sdk'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect } from '@jest/globals'
import fc from 'fast-check'
import { type FollowedAuction, followAuction } from '../crashAuctions.ts'
import { type CrashBackers, connectCrashBackers } from '../crashBackers.ts'
import { describeMs, quantile } from '../quantile.ts'
import { arrayOf, draw, playRound, table } from '../rounds.ts'
import { stopAfter } from '../stopAfter.ts'
import { beginFault, type ClusterFixture } from './clusterFixture.ts'
import { logsOf, startLoadedCluster, testOnCluster } from './clusterLoad.ts'
import { expectKept, isRepeated } from './clusterRound.ts'

// The instance that opened the auctions is killed, paused or cut off from PostgreSQL at a random time. The faulty
// instance's borrowers immediately move to another instance, as they would behind a load balancer. Half of the backers
// stay with the faulty instance. Each round checks that every resumed stream contains each event once and that it ends,
// rarely later than 3 s after the promised close. Each round also checks the later answers of the instance that opened
// the auctions against those that other instances sent to borrowers and makers during the fault.

const auctionMs = 3_000
const auctionCount = 20
const backerCount = 12
const doneWithinMs = 3_000

type Round = {
  opener: number
  kind: 'kill' | 'pause' | 'postgres'
  mode: 'hold' | 'drop' | 'cut'
  at: number
  asks: readonly number[]
  answers: readonly (readonly (number | null)[])[]
}
const round: fc.Arbitrary<Round> = fc.record({
  opener: fc.nat(2),
  kind: fc.constantFrom('kill', 'pause', 'postgres'),
  mode: fc.constantFrom('hold', 'drop', 'cut'),
  // Half of the faults occur near the close.
  at: fc.oneof(fc.nat(auctionMs + 250), fc.integer({ min: auctionMs - 100, max: auctionMs + 250 })),
  asks: arrayOf(fc.nat(200), auctionCount),
  answers: table(fc.option(fc.nat(auctionMs), { freq: 3, nil: null }), backerCount, auctionCount),
})

const started = stopAfter(afterEach)

/**
 * Delays between the promised close and the end of streams open when the fault began, in milliseconds by kind of fault.
 * `before` counts auctions that ended before the fault.
 */
type Counts = { [Kind in Round['kind']]: number[] } & { before: number; quotes: number; auctions: number }

async function playOpener(
  running: ClusterFixture,
  connected: CrashBackers,
  { opener, kind, mode, at, asks, answers }: Round,
  counts: Counts,
): Promise<void> {
  connected.plan(answers)
  const instance = running.instances[opener]
  if (!instance) throw new TypeError('There are three instances.')
  const followed: { auction: FollowedAuction; move(): void }[] = []
  const asked = asks.map(async (delay, index) => {
    await sleep(delay)
    const { client, move } = running.borrowerAt(opener)
    const auction = followAuction(running, { client, isRepeated })
    followed.push({ auction, move: () => move(opener + 1 + (index % 2)) })
  })
  await sleep(at)
  const endFault = await beginFault(instance, { kind, mode })
  const isAtFault = new Set(followed.filter(({ auction }) => auction.events.at(-1)?.event.type !== 'done'))
  for (const { move } of followed) move()
  await Promise.all(asked)
  // Also moves borrowers that have since connected to the faulty instance.
  for (const { auction, move } of followed) if (auction.startedAt === null) move()
  const auctions = followed.map(({ auction }) => auction)
  await Promise.all(auctions.map(({ ended }) => ended))
  // Another instance, which returns results while the opener does not respond.
  const other = new ServiceClient({ orderbookUrl: running.instances[(opener + 1) % 3]?.url ?? '' })
  const told = new Map<string, RFQResult>()
  for (const { rfqId } of auctions) if (rfqId) told.set(rfqId, await other.getRfq(rfqId))

  await endFault()
  const results = await expectKept(running, connected, auctions, counts.auctions + auctions.length)
  for (const result of results) expect(result).toEqual(told.get(result.rfqId))
  counts.auctions += auctions.length
  counts.quotes += results.reduce((sum, { quotes }) => sum + quotes.length, 0)
  for (const one of followed) {
    const { events, closesAt } = one.auction
    if (!isAtFault.has(one)) counts.before += 1
    else counts[kind].push((events.at(-1)?.at ?? Number.POSITIVE_INFINITY) - (closesAt ?? 0))
  }
}

testOnCluster(
  `behavior: over ${rounds} rounds, auctions end on time on another instance, regardless of the opener's fault`,
  async () => {
    const running = started(await startLoadedCluster(backerCount, auctionMs))
    const backers = started(await connectCrashBackers(running, (index) => [running.backerAt(index)]))
    const counts: Counts = { kill: [], pause: [], postgres: [], before: 0, quotes: 0, auctions: 0 }
    const startedAt = systemClock.monotonic()
    const met = () => [...counts.kill, ...counts.pause, ...counts.postgres]
    // Runs more rounds if at most half of the auctions were open when the fault began.
    for (let number = 0; number < rounds || (met().length <= auctionCount / 2 && number < rounds + 3); number += 1) {
      const drawn = draw(round, seed + number)
      const { opener, kind, mode, at } = drawn
      await playRound(
        () => playOpener(running, backers, drawn, counts),
        () => `round ${number} of --seed ${seed} (${JSON.stringify({ opener, kind, mode, at })})\n${logsOf(running)}`,
      )
    }
    const lines = (['kill', 'pause', 'postgres'] as const).map((kind) => `${kind}: ${describe(counts[kind])}`)
    const all = met()
    const seconds = Math.round((systemClock.monotonic() - startedAt) / 1_000)
    process.stdout.write(
      `opener.trial: ${rounds} rounds, --seed ${seed}, ${seconds} s, ${counts.auctions} auctions with ${counts.quotes} quotes, ` +
        `${counts.before} done before the fault; done after closesAt, all: ${describe(all)}; ${lines.join('; ')}\n`,
    )
    expect(all.length).toBeGreaterThan(auctionCount / 2)
    expect(quantile(all, 0.99)).toBeLessThanOrEqual(doneWithinMs)
  },
  60_000 + 60_000 * (rounds + 3),
)

function describe(values: readonly number[]): string {
  return values.length === 0 ? 'none' : `${values.length} of ${describeMs(values)}`
}
