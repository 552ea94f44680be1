import type { RFQResult } from '@firmquote/core'
import { ServiceClient } from '@firmquote/sdk'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type CrashBackers, connectCrashBackers } from '../crashBackers.ts'
import { type ClusterFixture, hasServices, startClusterFixture } from './clusterFixture.ts'
import { auctionMs, backerCount, clusterRound, noClusterCounts, playClusterRound, quantile } from './clusterRound.ts'

// Three servers on one PostgreSQL and one NATS, each behind relays of its own, under load: in each round 10 auctions whose borrowers
// follow them with the SDK, 12 backers on sockets, some on two, every call and every connection on the next instance. Meanwhile
// instances are killed with -9 and started again, stopped and continued, and cut off from PostgreSQL, from NATS or from both.
// Proven in each round: every quote that was acknowledged, over any connection, is in the result with the time that was said; what is
// in a result was acknowledged; a backer that was told of a refusal or the close is not in it; every stream has each event once and
// its end; the same request on two instances is one auction with the same events; all instances and the rows have the same results.

const mostMoreRounds = 3
const cutOffAmidQuotes = { kind: 'both', mode: 'drop', at: 1_200, lastsMs: 4_000 } as const

let fixture: ClusterFixture | undefined
let backers: CrashBackers | undefined
afterEach(async () => {
  backers?.stop()
  await fixture?.stop()
}, 60_000)

const given = hasServices ? test : test.skip
given(
  `behavior: over ${rounds} rounds of faults, three servers lose and double nothing that any of them has acknowledged`,
  async () => {
    const settings = { AUCTION_DURATION_MS: String(auctionMs), SOCKETS_PER_BACKER: '20' }
    const running = await startClusterFixture({ makers: backerCount, settings })
    fixture = running
    backers = await connectCrashBackers(running, (index) =>
      Array.from({ length: index % 3 === 0 ? 2 : 1 }, (_, turn) => running.backerFrom(index + turn)),
    )
    const counts = noClusterCounts()
    const results: RFQResult[] = []
    const reached = ['quotes', 'unanswered', 'closingAtFault', 'followedTwice'] as const
    // A few rounds may have no fault that takes an answer away: then some are played in which two instances are cut off amid their quotes.
    const isLacking = () => reached.some((name) => counts[name] === 0)
    for (let round = 0; round < rounds || (isLacking() && round < rounds + mostMoreRounds); round += 1) {
      const [drawn] = fc.sample(clusterRound, { seed: seed + round, numRuns: 1 })
      if (!drawn) throw new TypeError('no round')
      const played = round < rounds ? drawn : { ...drawn, faults: [cutOffAmidQuotes, cutOffAmidQuotes, null] }
      try {
        results.push(...(await playClusterRound(running, backers, played, counts)))
      } catch (cause) {
        const about = `round ${round} of --seed ${seed} (${JSON.stringify(played.faults)})`
        const logs = running.instances.map((instance) => instance.process().output().slice(-4_000)).join('\n\n')
        throw new TypeError(`${about}: ${cause instanceof Error ? cause.message : String(cause)}\n${logs}`, { cause })
      }
    }
    const client = new ServiceClient({ orderbookUrl: running.instances[2]?.url ?? '' })
    for (const result of results) expect(await client.getRfq(result.rfqId)).toEqual(result)

    const { lateMs, ...met } = counts
    const late = { p50: quantile(lateMs, 0.5), p99: quantile(lateMs, 0.99), worst: Math.max(...lateMs) }
    process.stdout.write(
      `faults.trial: ${rounds} rounds, --seed ${seed}: ${JSON.stringify(met)}, closed after closesAt: ${JSON.stringify(late)} ms\n`,
    )
    for (const name of reached) expect({ [name]: counts[name] }).not.toEqual({ [name]: 0 })
  },
  60_000 + 60_000 * (rounds + mostMoreRounds),
)
