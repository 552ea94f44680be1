import { systemClock } from '@firmquote/core/utils'
import { createDeferred } from '@firmquote/test-support/createDeferred'
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { describeQuotasContract } from '../../../test/adapters/quotasContract.ts'
import { describeWithPostgres } from '../../../test/sharedPostgres.ts'
import type { RequestLimits } from '../../domain/quotas.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import type { Quotas } from '../../ports/quotas.ts'
import { quotasAndPresence } from '../postgresStore/migrations/002_quotas_and_presence.ts'
import { createPostgresPool, type PostgresPool } from '../postgresStore/postgresPool.ts'
import { createPostgresQuotas } from './postgresQuotas.ts'

const limits = { rfqsPerMinute: 12, openRfqs: 4, openAuctions: 200 }
const keptMs = 25_000
const silent = { debug() {}, info() {}, warn() {}, error() {} }

describeWithPostgres('createPostgresQuotas', (postgres) => {
  let pools: PostgresPool[] = []
  let shift = 0
  /** Milliseconds by which the service's time was set. */
  let time = 0
  const clock = { ...systemClock, now: () => Date.now() + shift + time, monotonic: () => performance.now() + shift }
  const query = (text: string) => postgres().query(text, postgres().url)

  beforeAll(async () => {
    await query(quotasAndPresence)
    pools = await Promise.all(
      [0, 1, 2].map(() => createPostgresPool({ url: postgres().url, clock: systemClock, log: silent })),
    )
  })
  beforeEach(async () => {
    shift = 0
    time = 0
    await query('truncate quota_places, quota_uses, quota_checks')
  })
  afterAll(() => Promise.all(pools.map((pool) => pool.close())))

  const start = async (
    given: RequestLimits,
    count = 3,
    wrap = (pool: PostgresPool): Pick<PostgresPool, 'query'> => pool,
  ) => {
    const own = pools.slice(0, count).map((pool) => createPostgresQuotas(wrap(pool), { clock, limits: given }))
    const [first, ...others] = await Promise.all(own)
    if (!first) throw new TypeError('No instance was requested.')
    return [first, ...others] as const
  }
  const advance = (milliseconds: number) => {
    shift += milliseconds
  }
  describeQuotasContract('PostgreSQL, one instance', async (given) => ({ instances: await start(given, 1), advance }))
  describeQuotasContract('PostgreSQL, three instances', async (given) => ({ instances: await start(given), advance }))

  const attack = (quotas: Quotas, given: RequestLimits, key = '198.51.100.7') =>
    quotas.admit({ counts: [{ key, limits: given }], taker: null }, keptMs)

  test('behavior: 100 concurrent requests to each of three instances get the quota of one', async () => {
    for (const given of [
      limits,
      { ...limits, openRfqs: 100 },
      { rfqsPerMinute: 1_000, openRfqs: 1_000, openAuctions: 50 },
    ]) {
      await query('truncate quota_places, quota_uses, quota_checks')
      const instances = await start(given)
      const answers = await Promise.all(
        instances.flatMap((quotas) => Array.from({ length: 100 }, () => attack(quotas, given))),
      )
      const most = Math.min(given.rfqsPerMinute, given.openRfqs, given.openAuctions / 2)
      expect(answers.filter(({ ok }) => ok)).toHaveLength(most)
      expect(await query('select count(*)::int as slots from quota_places')).toEqual([{ slots: most }])
    }
  })

  test('behavior: repeated refusals cost the database almost nothing', async () => {
    let asked = 0
    const [quotas] = await start(limits, 1, (pool) => ({
      query: (...given) => {
        asked += 1
        return pool.query(...given)
      },
    }))
    for (let n = 0; n < 4; n += 1) expect((await attack(quotas, limits)).ok).toBe(true)
    await attack(quotas, limits)
    asked = 0
    const startedAt = performance.now()
    for (let n = 0; n < 1_000; n += 1) expect((await attack(quotas, limits)).ok).toBe(false)
    // At most one query is sent every 250 ms.
    expect(asked).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / 250)
  })

  test('behavior: an instance that stalls after counting does not block others, and decides again when it resumes', async () => {
    const given = { ...limits, rfqsPerMinute: 1 }
    const [counted, going] = [createDeferred(), createDeferred()]
    const [slow] = await start(given, 1, (pool) => ({
      async query<Row>(text: string, values?: readonly unknown[], name?: string) {
        if (name !== 'quota_write') return pool.query<Row>(text, values, name)
        counted.resolve()
        await going.promise
        return pool.query<Row>(text, values, name)
      },
    }))
    const [, quick] = await start(given, 2)
    if (!quick) throw new TypeError('There is no second instance.')
    const asked = attack(slow, given)
    await counted.promise
    expect((await attack(quick, given)).ok).toBe(true)
    going.resolve()
    expect(await asked).toMatchObject({ ok: false, rejection: { code: 'RATE_LIMITED' } })
  })

  test('behavior: an instance that dies between counting and writing, or after writing, does not keep a slot forever', async () => {
    const given = { ...limits, openRfqs: 2 }
    const [dead] = await start(given, 1, (pool) => ({
      query: (text, values, name) => (name === 'quota_write' ? new Promise(() => {}) : pool.query(text, values, name)),
    }))
    const [quotas, other] = await start(given)
    void attack(dead, given)
    expect((await attack(quotas, given)).ok).toBe(true)
    // Its slots are never released.
    expect((await attack(quotas, given)).ok).toBe(true)
    expect((await attack(other ?? quotas, given)).ok).toBe(false)
    advance(keptMs + 1)
    expect((await attack(other ?? quotas, given)).ok).toBe(true)
    expect(await query('select count(*)::int as slots from quota_places')).toEqual([{ slots: 1 }])
  })

  test('behavior: later writes delete expired rows', async () => {
    const [quotas] = await start({ rfqsPerMinute: 1_000, openRfqs: 1_000, openAuctions: 1_000 }, 1)
    const given = { rfqsPerMinute: 1_000, openRfqs: 1_000, openAuctions: 1_000 }
    for (let n = 0; n < 50; n += 1) await attack(quotas, given, `network ${n}`)
    await quotas.spendProof([{ key: 'one', limits: given }])
    await quotas.admitCheck('one')
    advance(61_000)
    await attack(quotas, given, 'last')
    const rows =
      await query(`select (select count(*)::int from quota_places) as slots, (select count(*)::int from quota_uses) as uses,
      (select count(*)::int from quota_checks) as checks`)
    expect(rows).toEqual([{ slots: 1, uses: 1, checks: 0 }])
  })

  test("behavior: a user is limited for at most a window after the service's time was set", async () => {
    for (const step of [3_600_000, -3_600_000, 86_400_000, -86_400_000]) {
      await query('truncate quota_places, quota_uses, quota_checks')
      const [quotas] = await start({ ...limits, rfqsPerMinute: 4, openRfqs: 4 }, 1)
      const given = { ...limits, rfqsPerMinute: 4, openRfqs: 4 }
      const proof = { key: 'one', limits: { ...given, rfqsPerMinute: 1 } }
      for (let n = 0; n < 4; n += 1) expect((await attack(quotas, given)).ok).toBe(true)
      while ((await quotas.spendProof([proof])) === null);
      while ((await quotas.admitCheck('one')).ok);
      time += step
      // Refusals are cached for a moment.
      advance(1_000)
      // The times before the step free at most one window.
      for (const expected of [true, true, true, true, false]) expect((await attack(quotas, given)).ok).toBe(expected)
      expect(await quotas.spendProof([proof])).toBeNull()
      expect((await quotas.admitCheck('one')).ok).toBe(true)
      const counts =
        'select (select count(*)::int from quota_places) as slots, (select count(*)::int from quota_uses where kind = 0) as uses'
      expect(await query(counts)).toEqual([{ slots: 4, uses: 4 }])
      advance(61_000)
      expect((await attack(quotas, given)).ok).toBe(true)
    }
  })

  test('behavior: instances whose clocks differ by a second share a window', async () => {
    const given = { ...limits, rfqsPerMinute: 1 }
    const [ahead, behind] = [1_000, 0].map((ms) =>
      createPostgresQuotas(pools[0] as PostgresPool, {
        clock: { ...clock, now: () => clock.now() + ms },
        limits: given,
      }),
    )
    expect((await attack((await ahead) as Quotas, given)).ok).toBe(true)
    expect((await attack((await behind) as Quotas, given)).ok).toBe(false)
  })

  test('behavior: the database contains no addresses', async () => {
    const [quotas] = await start(limits, 1)
    const key = '203.0.113.99'
    await attack(quotas, limits, key)
    await quotas.admitCheck(key)
    await quotas.spendProof([{ key, limits }])
    const rows = await query(
      `select encode(key, 'escape') as key from quota_uses union all select encode(sender, 'escape') from quota_checks`,
    )
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain(key)
    expect(await query('select distinct length(key) as length from quota_uses')).toEqual([{ length: 32 }])
  })

  test('error: without the database, nothing is admitted', async () => {
    const fails = { isFailing: false }
    const [quotas] = await start(limits, 1, (pool) => ({
      query: async (...given) => {
        if (fails.isFailing) throw new StorageUnavailableError('The database is unavailable.')
        return pool.query(...given)
      },
    }))
    const first = await attack(quotas, limits)
    fails.isFailing = true
    await expect(attack(quotas, limits)).rejects.toThrow(StorageUnavailableError)
    await expect(quotas.spendProof([{ key: 'one', limits }])).rejects.toThrow(StorageUnavailableError)
    await expect(quotas.admitCheck('one')).rejects.toThrow(StorageUnavailableError)
    if (!first.ok) throw new TypeError('refused')
    expect(await first.slot.abandon()).toBe(false)
    first.slot.release()
    fails.isFailing = false
    expect((await attack(quotas, limits)).ok).toBe(true)
  })
})
