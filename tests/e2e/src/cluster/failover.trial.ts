import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@firmquote/cluster/freePort'
import type { Postgres } from '@firmquote/cluster/startPostgres'
import { promoteStandby, startStandby } from '@firmquote/cluster/startStandby'
import { ServiceClient } from '@firmquote/sdk'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type CrashBackers, connectCrashBackers } from '../crashBackers.ts'
import { type ClusterFixture, hasServices, isReady, startClusterFixture } from './clusterFixture.ts'
import { expectKept, openAll, planAnswers } from './clusterLoad.ts'

// Three servers under load on a PostgreSQL with a synchronous standby. In each round the primary ends in another way and the standby
// takes over, as an operator does it: the old one is stopped first, then `pg_ctl promote`. In the next round the new primary has a
// standby of its own, at the address of the old one.
// Proven in each round: everything that was acknowledged is in the results, which are the same on each instance; every stream has each
// event once and its end; each request is one auction; and the servers go on by themselves, soon after the promotion.

const auctionMs = 5_000
const backerCount = 6
/** How soon after a promotion every instance takes new work again. */
const readyWithinMs = 5_000

/** How the old primary ends. `lags`: the standby stops to copy it a while before. */
const ends = ['fast', 'immediate', 'killed', 'lags'] as const
/** Longer than a commit waits for its standby before its outcome is unknown. */
const lagMs = 2_500
const failover = fc.record({
  afterMs: fc.integer({ min: 500, max: auctionMs - 1_000 }),
  pauseMs: fc.integer({ min: 500, max: 1_500 }),
})

let fixture: ClusterFixture | undefined
let backers: CrashBackers | undefined
let primary: Postgres | undefined
let standby: Postgres | undefined
const folders: string[] = []
afterEach(async () => {
  backers?.stop()
  await fixture?.stop()
  for (const server of [primary, standby]) await server?.stop('immediate')
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}, 60_000)

const given = hasServices ? test : test.skip
given(
  `behavior: over ${rounds} failovers to a synchronous standby nothing that was acknowledged is missing, and all servers go on`,
  async () => {
    const standbyPort = await freePort()
    const settings = { AUCTION_DURATION_MS: String(auctionMs), SOCKETS_PER_BACKER: '20' }
    const running = await startClusterFixture({ makers: backerCount, settings, standbyPort })
    fixture = running
    primary = running.cluster.postgres
    const ports = [standbyPort, primary.port]
    const connected = await connectCrashBackers(running, (index) => [running.backerFrom(index)])
    backers = connected

    const results = []
    for (let round = 0; round < rounds; round += 1) {
      const [drawn] = fc.sample(failover, { seed: seed + round, numRuns: 1 })
      if (!drawn) throw new TypeError('no failover')
      const end = ends[(seed + round) % ends.length] ?? 'fast'
      planAnswers(connected, backerCount, seed + round)
      const opened = openAll(running)
      const folder = mkdtempSync(join(tmpdir(), 'firmquote-standby-'))
      folders.push(folder)
      standby = await startStandby(primary, folder, ports[round % 2])
      await sleep(drawn.afterMs)

      const goneAt = Date.now()
      await endPrimary(primary, standby, end)
      await sleep(drawn.pauseMs)
      await promoteStandby(standby)
      const promotedAt = Date.now()
      primary = standby
      standby = undefined
      const readyMs = await Promise.all(
        running.instances.map(async ({ url }) => {
          while (!(await isReady(url))) await sleep(20)
          return Date.now() - promotedAt
        }),
      )
      await sleep(1_000)
      await opened.end()
      try {
        const present = { ...running, cluster: { ...running.cluster, postgres: primary } }
        results.push(...(await expectKept(present, connected, opened, results.length + opened.auctions.length)))
      } catch (cause) {
        const about = `round ${round} of --seed ${seed} (${end}, ${JSON.stringify(drawn)})`
        const logs = running.instances.map((instance) => instance.process().output().slice(-4_000)).join('\n\n')
        throw new TypeError(`${about}: ${cause instanceof Error ? cause.message : String(cause)}\n${logs}`, { cause })
      }
      /** Quotes that waited for their verdict while there was no primary. */
      const met = connected.submissions.filter(({ tries }) =>
        tries.some(({ sentAt, answeredAt }) => sentAt <= promotedAt && (answeredAt ?? sentAt) >= goneAt),
      ).length
      const answers: Record<string, number> = {}
      for (const { tries } of connected.submissions) {
        for (const { answer } of tries) {
          const name = answer?.type === 'rejected' ? answer.code : (answer?.type ?? 'none')
          answers[name] = (answers[name] ?? 0) + 1
        }
      }
      process.stdout.write(
        `failover.trial: --seed ${seed + round}, ${end}, ${opened.auctions.length} auctions: after ${promotedAt - goneAt} ms promoted, ready ` +
          `${readyMs.join(', ')} ms later; ${met} quotes met it; answers ${JSON.stringify(answers)}\n`,
      )
      expect(Math.max(...readyMs)).toBeLessThanOrEqual(readyWithinMs)
      expect(answers['accepted']).toBeGreaterThan(opened.auctions.length)
      expect(met).toBeGreaterThan(0)
    }
    const client = new ServiceClient({ orderbookUrl: running.instances[1]?.url ?? '' })
    for (const result of results) expect(await client.getRfq(result.rfqId)).toEqual(result)
  },
  60_000 + 60_000 * rounds,
)

/** Ends a primary for good. */
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
