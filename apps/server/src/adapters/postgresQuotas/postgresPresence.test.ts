import { systemClock } from '@firmquote/core/utils'
import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { type Address, numberToHex } from 'viem'
import { describePresenceContract } from '../../../test/adapters/presenceContract.ts'
import { describeWithPostgres } from '../../../test/sharedPostgres.ts'
import { StorageUnavailableError } from '../../ports/errors.ts'
import { quotasAndPresence } from '../postgresStore/migrations/002_quotas_and_presence.ts'
import { createPostgresPool, type PostgresPool } from '../postgresStore/postgresPool.ts'
import { createPostgresPresence, type PostgresPresence } from './postgresPresence.ts'

const one: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const log = { debug() {}, info() {}, warn() {}, error() {} }

describeWithPostgres('createPostgresPresence', (postgres) => {
  let pool: PostgresPool
  let shift = 0
  let clock: FakeClock
  let running: PostgresPresence[] = []
  const query = (text: string) => postgres().query(text, postgres().url)

  beforeAll(async () => {
    await query(quotasAndPresence)
    pool = await createPostgresPool({ url: postgres().url, clock: systemClock, log, size: 6 })
  })
  beforeEach(async () => {
    shift = 0
    clock = createFakeClock()
    running = []
    await query('truncate presence_instances, presence_sockets, presence_sessions')
  })
  afterEach(() => Promise.all(running.map((presence) => presence.close())))
  afterAll(() => pool.close())

  const start = async (
    socketsPerBacker: number,
    { on = pool, its = clock }: { on?: Pick<PostgresPool, 'query'>; its?: FakeClock } = {},
  ) => {
    const clock = { ...its, now: () => Date.now() + shift }
    const presence = await createPostgresPresence(on, { clock, log, socketsPerBacker })
    running.push(presence)
    return presence
  }
  /** Advances a clock so that each of its instances sends one heartbeat and reads the others' heartbeats. */
  const sendHeartbeat = async (its = clock) => {
    its.advance(1_000)
    const end = performance.now() + 5_000
    while (its.pending() < running.length && performance.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 5))
  }
  /** Waits for two heartbeats: one to write the state and one to read it. */
  const refresh = async () => {
    await sendHeartbeat()
    await sendHeartbeat()
  }

  describePresenceContract('PostgreSQL, one instance', async (most) => ({ instances: [await start(most)], refresh }))
  describePresenceContract('PostgreSQL, three instances', async (most) => ({
    instances: [await start(most), await start(most), await start(most)],
    refresh,
  }))

  test('behavior: the slots of a lost instance are free after five seconds, and it is pruned after a minute', async () => {
    const gone = createFakeClock()
    const dead = await start(1, { its: gone })
    const alive = await start(1)
    running = [alive]
    dead.join(one)
    gone.advance(1_000)
    expect(await dead.enter(one)).not.toBeNull()
    await expectSoon(async () => expect(await query('select instance from presence_sessions')).toHaveLength(1))
    await refresh()
    expect(alive.countBackers()).toBe(1)
    shift = 4_000
    await refresh()
    expect([alive.countBackers(), await alive.enter(one)]).toEqual([1, null])
    shift = 6_000
    await refresh()
    expect([alive.countBackers(), await alive.enter(one)]).toEqual([0, expect.any(Function)])
    expect(await alive.enter(one)).toBeNull()
    shift = 120_000
    for (let beats = 0; beats < 10; beats += 1) await sendHeartbeat()
    expect(await query('select instance from presence_instances')).toHaveLength(1)
    expect(await query('select instance from presence_sessions')).toHaveLength(0)
    running = [alive, dead]
    gone.advance(1_000)
  })

  test("behavior: when the service's time is set, only a lost instance's slots become free", async () => {
    for (const step of [3_600_000, -3_600_000]) {
      shift = 0
      const [gone, other] = [createFakeClock(), '0x3333333333333333333333333333333333333333'] as const
      const dead = await start(1, { its: gone })
      const [alive, peer] = [await start(1), await start(1)]
      running = [alive, peer]
      expect([await dead.enter(one), await peer.enter(other)]).not.toContain(null)
      shift = step
      await refresh()
      const [free, leave] = [await alive.enter(one), await alive.enter(other)]
      expect([free, leave]).toEqual([expect.any(Function), null])
      free?.()
      running = [alive, peer, dead]
      gone.advance(1_000)
      await Promise.all(running.map((presence) => presence.close()))
      running = []
      await query('truncate presence_instances, presence_sockets, presence_sessions')
    }
  })

  test('behavior: an instance that resumes restores its slots that are still free', async () => {
    const asleep = createFakeClock()
    const slow = await start(1, { its: asleep })
    const quick = await start(1)
    running = [quick]
    expect(await slow.enter(one)).not.toBeNull()
    const others = '0x3333333333333333333333333333333333333333'
    expect(await slow.enter(others)).not.toBeNull()
    shift = 6_000
    await sendHeartbeat()
    const leave = await quick.enter(one)
    expect(leave).not.toBeNull()
    shift = 120_000
    for (let beats = 0; beats < 10; beats += 1) await sendHeartbeat()
    expect(await query('select socket from presence_sockets')).toHaveLength(1)
    asleep.advance(1_000)
    await expectSoon(async () => expect(await query('select socket from presence_sockets')).toHaveLength(2))
    expect(await quick.enter(others)).toBeNull()
    leave?.()
    running = [slow, quick]
  })

  test('behavior: a thousand reconnecting backers are registered within five seconds, with few statements', async () => {
    let asked = 0
    const counting: Pick<PostgresPool, 'query'> = {
      query: (...given) => {
        asked += 1
        return pool.query(...given)
      },
    }
    const presence = await start(3, { on: counting })
    asked = 0
    const startedAt = performance.now()
    const backers = Array.from({ length: 1_000 }, (_, n) => numberToHex(n + 1, { size: 20 }))
    const entered = await Promise.all(backers.map((backer) => presence.enter(backer)))
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect([entered.filter((leave) => leave !== null).length, asked]).toEqual([1_000, 2])
    for (const leave of entered) leave?.()
    await expectSoon(async () => expect(await query('select socket from presence_sockets')).toEqual([]))
  })

  test('error: without the database no socket is registered, and departed ones are removed later', async () => {
    const away = { isAway: false }
    const failing: Pick<PostgresPool, 'query'> = {
      query: async (...given) => {
        if (away.isAway) throw new StorageUnavailableError('The database is unavailable.')
        return pool.query(...given)
      },
    }
    const presence = await start(1, { on: failing })
    const leave = await presence.enter(one)
    away.isAway = true
    await expect(presence.enter(one)).rejects.toThrow(StorageUnavailableError)
    leave?.()
    await sendHeartbeat()
    away.isAway = false
    expect(await query('select socket from presence_sockets')).toHaveLength(1)
    await sendHeartbeat()
    await expectSoon(async () => expect(await query('select socket from presence_sockets')).toEqual([]))
    expect(await presence.enter(one)).not.toBeNull()
  })
})

/** Waits until an assertion holds. */
async function expectSoon(holds: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + 5_000; ; await new Promise((resolve) => setTimeout(resolve, 10))) {
    try {
      return await holds()
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}
