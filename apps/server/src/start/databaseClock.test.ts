import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createDatabaseClock } from './databaseClock.ts'

const start = 1_700_000_000_000
let own: FakeClock
/**
 * The database clock's lead over this machine's clock, and the request and response latencies, in milliseconds.
 */
let database: { aheadMs: number; there: number; back: number; fails: boolean }
let warnings: { facts: Record<string, unknown>; message: string }[]
let asked: number
let it: Awaited<ReturnType<typeof createDatabaseClock>>

const readTime = async () => {
  asked += 1
  if (database.fails) throw new Error('no answer')
  own.advance(database.there)
  const time = start + own.monotonic() + database.aheadMs
  own.advance(database.back)
  return time
}
const truth = () => start + own.monotonic() + database.aheadMs
const create = () =>
  createDatabaseClock(own, { readTime, log: { warn: (facts, message) => warnings.push({ facts, message }) } })
const settle = () => new Promise((resolve) => setImmediate(resolve))
/** Advances time until the next measurement. */
const remeasure = async () => {
  const before = asked
  own.advance(5_000)
  await settle()
  expect(asked).toBe(before + 1)
}

beforeEach(async () => {
  own = createFakeClock(start)
  database = { aheadMs: -8_000, there: 2, back: 2, fails: false }
  warnings = []
  asked = 0
  it = await create()
})
afterEach(() => it.stop())

describe('createDatabaseClock', () => {
  test("default: it follows the database's time, and logs the difference from the machine's", () => {
    expect(it.clock.now()).toBe(truth())
    expect(warnings).toEqual([
      {
        facts: { milliseconds: 8_000 },
        message: "this machine's clock differs from the database's; using the database's clock",
      },
    ])
    own.advance(1_234.5)
    expect([it.clock.now(), it.clock.monotonic()]).toEqual([Math.floor(truth()), own.monotonic()])
  })

  test('behavior: a difference of one second is ignored', async () => {
    it.stop()
    warnings = []
    database.aheadMs = 1_000
    it = await create()
    expect(warnings).toEqual([])
  })

  test('behavior: a jump of the machine’s clock has no effect', () => {
    own.jump(3_600_000)
    expect(it.clock.now()).toBe(truth())
  })

  test('behavior: a slow answer has no effect, whichever direction was slow, but a fast one does', async () => {
    database = { ...database, there: 0, back: 900 }
    await remeasure()
    database = { ...database, there: 900, back: 0 }
    await remeasure()
    expect(it.clock.now()).toBe(truth())
    database = { ...database, aheadMs: database.aheadMs + 50, there: 1, back: 1 }
    await remeasure()
    expect(Math.abs(it.clock.now() - truth())).toBeLessThanOrEqual(1)
    expect(warnings).toHaveLength(1)
  })

  test('behavior: of the first answers, the fastest is used', async () => {
    it.stop()
    const ways = [
      { there: 0, back: 400 },
      { there: 3, back: 1 },
      { there: 500, back: 0 },
    ]
    let at = 0
    it = await createDatabaseClock(own, {
      readTime: () => {
        Object.assign(database, ways[at++])
        return readTime()
      },
      log: { warn: () => {} },
    })
    expect(at).toBe(3)
    expect(Math.abs(it.clock.now() - truth())).toBeLessThanOrEqual(3)
  })

  test('behavior: it stands still instead of going back by a second or less', async () => {
    const before = it.clock.now()
    own.advance(5)
    database.aheadMs -= 1_000
    own.advance(4_995)
    const ahead = it.clock.now()
    await settle()
    await settle()
    expect(ahead).toBeGreaterThan(before)
    expect(it.clock.now()).toBe(ahead)
    own.advance(900)
    expect(it.clock.now()).toBe(ahead)
    own.advance(110)
    expect(it.clock.now()).toBeGreaterThan(ahead)
    expect(Math.abs(it.clock.now() - truth())).toBeLessThanOrEqual(4)
    expect(warnings).toHaveLength(1)
  })

  test("behavior: it follows jumps of the database's clock, also backwards, and logs them", async () => {
    for (const jump of [-10_000, 10_000]) {
      database.aheadMs += jump
      await remeasure()
      expect(Math.abs(it.clock.now() - truth())).toBeLessThanOrEqual(4)
    }
    const steps = warnings.slice(1).map(({ facts }) => Math.round(Number(facts['milliseconds']) / 1_000))
    expect(steps).toEqual([-10, 10])
  })

  test('behavior: while the database does not answer, it keeps running, and then follows again', async () => {
    database.fails = true
    await remeasure()
    expect(it.clock.now()).toBe(truth())
    database.fails = false
    database.aheadMs += 500
    await remeasure()
    expect(Math.abs(it.clock.now() - truth())).toBeLessThanOrEqual(4)
  })

  test('error: the first read fails', async () => {
    database.fails = true
    await expect(create()).rejects.toThrow('no answer')
  })

  test('behavior: after stopping, nothing is read', async () => {
    it.stop()
    own.advance(60_000)
    await settle()
    expect([asked, own.pending()]).toEqual([3, 0])
  })
})
