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

// Three servers on one PostgreSQL and one NATS, each behind relays of its own, under load: in each round 10 auctions whose borrowers
// follow them with the SDK, 12 backers on sockets, some on two, every call and every connection on the next instance. Meanwhile
// instances are killed with -9 and started again, stopped and continued, and cut off from PostgreSQL, from NATS or from both.
// Proven in each round: every quote that was acknowledged, over any connection, is in the result with the time that was said; what is
// in a result was acknowledged; a backer that was told of a refusal or the close is not in it; every stream has each event once and
// its end; the same request on two instances is one auction with the same events; all instances and the rows have the same results.

const mostMoreRounds = 3
const pausedAmidQuotes = { kind: 'pause', mode: 'hold', at: 1_200, lastsMs: 4_000 } as const

const started = stopAfter(afterEach)

testOnCluster(
  `behavior: over ${rounds} rounds of faults, three servers lose and double nothing that any of them has acknowledged`,
  async () => {
    const fixture = started(await startLoadedCluster(backerCount, auctionMs))
    const channels = (index: number) =>
      Array.from({ length: index % 3 === 0 ? 2 : 1 }, (_, turn) => fixture.backerFrom(index + turn))
    const backers = started(await connectCrashBackers(fixture, channels))
    const { met, rare } = createCoverage(clusterCases)
    const results: RFQResult[] = []
    // The drawn faults may take no answer away. Pausing each instance in turn does: one of them has backers whose quotes are under way.
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
