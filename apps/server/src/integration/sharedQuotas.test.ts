import { systemClock } from '@firmquote/core/utils'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { describeWithPostgres } from '../../test/sharedPostgres.ts'
import { type HubFixture, request, startHub } from '../../test/startHub.ts'
import { waitUntil } from '../../test/waitUntil.ts'
import { createPostgresPresence, type PostgresPresence } from '../adapters/postgresQuotas/postgresPresence.ts'
import { createPostgresQuotas } from '../adapters/postgresQuotas/postgresQuotas.ts'
import { quotasAndPresence } from '../adapters/postgresStore/migrations/002_quotas_and_presence.ts'
import { createPostgresPool, type PostgresPool } from '../adapters/postgresStore/postgresPool.ts'
import type { AuctionHub } from '../app/service.ts'

const limits = { rfqsPerMinute: 12, openRfqs: 4, openAuctions: 40 }
const silent = { debug() {}, info() {}, warn() {}, error() {} }

describeWithPostgres('three instances that share quotas and presence in PostgreSQL', (postgres) => {
  let pools: PostgresPool[]
  let presences: PostgresPresence[]
  let hubs: AuctionHub[]
  let it: HubFixture

  beforeAll(async () => {
    await postgres().query(quotasAndPresence, postgres().url)
    pools = await Promise.all(
      [0, 1, 2].map(() => createPostgresPool({ url: postgres().url, clock: systemClock, log: silent })),
    )
  })
  beforeEach(async () => {
    await postgres().query('truncate quota_places, quota_uses, quota_checks', postgres().url)
    it = await startHub({ limits })
    presences = []
    hubs = []
    for (const pool of pools) {
      const quotas = await createPostgresQuotas(pool, { clock: systemClock, limits })
      const presence = await createPostgresPresence(pool, { clock: systemClock, log: it.deps.log, socketsPerBacker: 3 })
      presences.push(presence)
      hubs.push(it.startPeer('shared', { quotas, presence }))
    }
  })
  afterEach(async () => {
    await it.close()
    await Promise.all(presences.map((presence) => presence.close()))
  })
  afterAll(() => Promise.all(pools.map((pool) => pool.close())))

  /** Sends requests to every instance concurrently and returns their outcomes. */
  const attack = async (count: number, requesterOf: (n: number) => { address: string; wider?: string }) => {
    const answers = await Promise.all(
      hubs.flatMap((hub) => Array.from({ length: count }, (_, n) => hub.open(request, requesterOf(n)))),
    )
    return answers.map((answer) => (answer.ok ? 'opened' : answer.rejection.code))
  }
  const openedOf = (codes: readonly string[]) => codes.filter((code) => code === 'opened').length

  test('behavior: 100 concurrent requests from one network to all instances share one quota', async () => {
    const codes = await attack(100, () => ({ address: '198.51.100.7' }))
    expect(openedOf(codes)).toBe(limits.openRfqs)
    expect(new Set(codes)).toEqual(new Set(['opened', 'TOO_MANY_OPEN']))
    expect(openedOf(await attack(1, () => ({ address: '198.51.100.8' })))).toBe(3)
  })

  test('error: without the database, requests are refused and nothing is thrown', async () => {
    await postgres().stop('immediate')
    try {
      const codes = await attack(5, () => ({ address: '198.51.100.7' }))
      expect(new Set(codes)).toEqual(new Set(['STORAGE_UNAVAILABLE']))
    } finally {
      await postgres().start()
      for (const { query } of pools) await waitUntil(async () => (await query('select 1')).length === 1)
    }
    expect(openedOf(await attack(1, () => ({ address: '198.51.100.7' })))).toBe(3)
  })
})
