import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@firmquote/cluster/freePort'
import type { Postgres } from '@firmquote/cluster/startPostgres'
import { promoteStandby, startStandby } from '@firmquote/cluster/startStandby'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect } from '@jest/globals'
import fc from 'fast-check'
import { connectCrashBackers } from '../crashBackers.ts'
import { draw, playRound } from '../rounds.ts'
import { stopAfter } from '../stopAfter.ts'
import { isReady } from './clusterFixture.ts'
import {
  expectUnchanged,
  logsOf,
  openAll,
  planAnswers,
  startLoadedCluster,
  tallyAnswers,
  testOnCluster,
} from './clusterLoad.ts'
import { expectKept } from './clusterRound.ts'

// Three servers under load on a PostgreSQL with a synchronous standby. Each round ends the primary in another way and
// promotes the standby as an operator does: stop the old primary, then `pg_ctl promote`. The next round's new primary
// has a standby at the old one's address.
// Proven in each round: every acknowledged quote is in the results, which are equal on all instances; every stream has
// each event once and its end; each request is one auction; and the servers recover on their own soon after the
// promotion.

const auctionMs = 5_000
const backerCount = 6
/** Milliseconds within which every instance accepts new work after a promotion. */
const readyWithinMs = 5_000

/** How the old primary ends. `lags`: the standby stops replicating a while before. */
const ends = ['fast', 'immediate', 'killed', 'lags'] as const
/** Longer than a commit waits for its standby before its outcome is unknown, in milliseconds. */
const lagMs = 2_500
const failover = fc.record({
  afterMs: fc.integer({ min: 500, max: auctionMs - 1_000 }),
  pauseMs: fc.integer({ min: 500, max: 1_500 }),
})

const started = stopAfter(afterEach)

testOnCluster(
  `behavior: over ${rounds} failovers to a synchronous standby nothing that was acknowledged is missing, and all servers go on`,
  async () => {
    const standbys: { server: Postgres; folder: string }[] = []
    // Stopped after the servers, which use the last one.
    started({
      async stop() {
        for (const { server, folder } of standbys) {
          await server.stop('immediate')
          rmSync(folder, { recursive: true, force: true })
        }
      },
    })
    const standbyPort = await freePort()
    const running = started(await startLoadedCluster(backerCount, auctionMs, standbyPort))
    let primary = running.cluster.postgres
    const ports = [standbyPort, primary.port]
    const connected = started(await connectCrashBackers(running, (index) => [running.backerFrom(index)]))

    const results = []
    for (let round = 0; round < rounds; round += 1) {
      const drawn = draw(failover, seed + round)
      const end = ends[(seed + round) % ends.length] ?? 'fast'
      planAnswers(connected, backerCount, seed + round)
      const opened = openAll(running)
      const folder = mkdtempSync(join(tmpdir(), 'firmquote-standby-'))
      const standby = await startStandby(primary, folder, ports[round % 2])
      standbys.push({ server: standby, folder })
      await sleep(drawn.afterMs)

      const goneAt = Date.now()
      await endPrimary(primary, standby, end)
      await sleep(drawn.pauseMs)
      await promoteStandby(standby)
      const promotedAt = Date.now()
      primary = standby
      const readyMs = await Promise.all(
        running.instances.map(async ({ url }) => {
          while (!(await isReady(url))) await sleep(20)
          return Date.now() - promotedAt
        }),
      )
      await sleep(1_000)
      const auctions = await opened.end()
      const present = { ...running, cluster: { ...running.cluster, postgres: primary } }
      const kept = await playRound(
        () => expectKept(present, connected, auctions, results.length + auctions.length),
        () => `round ${round} of --seed ${seed} (${end}, ${JSON.stringify(drawn)})\n${logsOf(running)}`,
      )
      results.push(...kept)
      /** Quotes waiting for a verdict while there was no primary. */
      const met = connected.submissions.filter(({ tries }) =>
        tries.some(({ sentAt, answeredAt }) => sentAt <= promotedAt && (answeredAt ?? sentAt) >= goneAt),
      ).length
      const answers = tallyAnswers(connected)
      process.stdout.write(
        `failover.trial: --seed ${seed + round}, ${end}, ${auctions.length} auctions: after ${promotedAt - goneAt} ms promoted, ready ` +
          `${readyMs.join(', ')} ms later; ${met} quotes met it; answers ${JSON.stringify(answers)}\n`,
      )
      expect(Math.max(...readyMs)).toBeLessThanOrEqual(readyWithinMs)
      expect(answers['accepted']).toBeGreaterThan(auctions.length)
      expect(met).toBeGreaterThan(0)
    }
    await expectUnchanged(running, 1, results)
  },
  60_000 + 60_000 * rounds,
)

/** Ends a primary permanently. */
async function endPrimary(old: Postgres, copy: Postgres, end: (typeof ends)[number]): Promise<void> {
  if (end === 'killed') return old.process().kill('SIGKILL')
  if (end === 'lags') {
    await copy.query(`alter system set primary_conninfo = ''`)
    await copy.query('select pg_reload_conf()')
    const waiting = `select from pg_stat_activity where wait_event = 'SyncRep' and not exists (select from pg_stat_replication)`
    while ((await old.query(waiting)).length === 0) await sleep(20)
    await sleep(lagMs)
  }
  await old.stop(end === 'fast' ? 'fast' : 'immediate')
}
