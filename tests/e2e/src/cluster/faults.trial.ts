import type { RFQResult } from '@firmquote/core'
import { createCoverage } from '@firmquote/test-support/coverage'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect } from '@jest/globals'
import { connectCrashBackers } from '../crashBackers.ts'
import { describeMs } from '../quantile.ts'
import { draw, playRound } from '../rounds.ts'
import { stopAfter } from '../stopAfter.ts'
import { expectUnchanged, logsOf, startLoadedCluster, testOnCluster } from './clusterLoad.ts'
import { auctionMs, backerCount, clusterCases, clusterRound, playClusterRound } from './clusterRound.ts'

// Three servers share PostgreSQL and NATS, each through its own relays, and are under load. Each round runs 10
// auctions, which borrowers follow with the SDK, and connects 12 backers with one or two sockets each. Successive calls
// and connections cycle through the instances. During the auctions, instances are killed with SIGKILL and restarted,
// paused and resumed, or cut off from PostgreSQL, NATS or both. Each round checks the following. Every quote
// acknowledged over any connection is in the result, with the acceptance time sent to its maker. Every quote in a
// result was acknowledged. A quote is not in the result if its backer was sent a rejection or a notice that the auction
// closed. Every stream contains each event once and ends. The same request, sent to two instances, opens one auction
// with the same events. All instances and the database rows contain the same results.

const mostMoreRounds = 3
const pausedAmidQuotes = { kind: 'pause', mode: 'hold', at: 1_200, lastsMs: 4_000 } as const

const started = stopAfter(afterEach)

testOnCluster(
  `behavior: over ${rounds} rounds of faults, three servers neither lose nor duplicate anything acknowledged`,
  async () => {
    const fixture = started(await startLoadedCluster(backerCount, auctionMs))
    const channels = (index: number) =>
      Array.from({ length: index % 3 === 0 ? 2 : 1 }, (_, turn) => fixture.backerFrom(index + turn))
    const backers = started(await connectCrashBackers(fixture, channels))
    const { met, rare } = createCoverage(clusterCases)
    const results: RFQResult[] = []
    // Random faults might not interrupt an answer to a quote. Pausing each instance in turn always interrupts some,
    // since one instance has backers with pending quotes.
    for (let round = 0; round < rounds || (rare().length > 0 && round < rounds + mostMoreRounds); round += 1) {
      const drawn = draw(clusterRound, seed + round)
      const paused = round - rounds
      const faults = [0, 1, 2].map((index) => (index === paused ? pausedAmidQuotes : null))
      const played = round < rounds ? drawn : { ...drawn, faults }
      const told = await playRound(
        () => playClusterRound(fixture, backers, played, { met, before: results.length }),
        () => `round ${round} of --seed ${seed} (${JSON.stringify(played.faults)})\n${logsOf(fixture)}`,
      )
      results.push(...told)
    }
    await expectUnchanged(fixture, 2, results)

    const lateMs = results.map(({ closesAt, closedAt }) => (closedAt ?? Number.POSITIVE_INFINITY) - closesAt)
    process.stdout.write(
      `faults.trial: ${rounds} rounds, --seed ${seed}, closed after closesAt: ${describeMs(lateMs)}\n`,
    )
    expect(rare()).toEqual([])
  },
  60_000 + 60_000 * (rounds + mostMoreRounds),
)
