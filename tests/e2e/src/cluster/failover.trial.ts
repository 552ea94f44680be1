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

// Three servers under load on PostgreSQL with a synchronous standby. Each round shuts down the primary in a different
// way and promotes the standby as an operator would: stop the old primary, then run `pg_ctl promote`. In the next
// round, the new primary replicates to a standby at the old primary's address. Each round checks the following. Every
// acknowledged quote is in the results, and the results are the same on all instances. Every stream contains each event
// once and ends. Each request results in exactly one auction. The servers recover automatically soon after the
// promotion.

const auctionMs = 5_000
const backerCount = 6
/** Maximum time after a promotion until every instance accepts new work, in milliseconds. */
const readyWithinMs = 5_000

/**
 * Ways the old primary goes down. With `lags`, the standby stops replicating some time before the primary goes down.
 */
const ends = ['fast', 'immediate', 'killed', 'lags'] as const
/**
 * How long the standby lags, in milliseconds. The lag exceeds the time that a commit waits for the standby before its
 * outcome becomes unknown.
 */
const lagMs = 2_500
const failover = fc.record({
  afterMs: fc.integer({ min: 500, max: auctionMs - 1_000 }),
  pauseMs: fc.integer({ min: 500, max: 1_500 }),
})

const started = stopAfter(afterEach)

testOnCluster(
  `behavior: over ${rounds} failovers to a synchronous standby, nothing acknowledged is lost, and all servers continue`,
  async () => {
    const standbys: { server: Postgres; folder: string }[] = []
    // PostgreSQL is stopped after the servers, which still use the last primary.
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
      /** Number of quotes awaiting a verdict while no primary was running. */
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
