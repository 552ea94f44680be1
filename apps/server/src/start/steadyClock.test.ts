import { createFakeClock, type FakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { ReferenceClock } from '../ports/referenceClock.ts'
import { createMachineReference, createSteadyClock } from './steadyClock.ts'

const start = 1_700_000_000_000
let own: FakeClock
let database: { aheadMs: number; offset: number; isOpen: boolean; fails: boolean; there: number; back: number }
let warnings: [milliseconds: unknown, message: string][]
let reads: number
let steps: number
let it: Awaited<ReturnType<typeof createSteadyClock>>

const read = async () => {
  reads += 1
  if (database.fails) throw new Error('no answer')
  own.advance(database.there)
  const answer = { time: start + own.monotonic() + database.aheadMs, offset: database.offset, agreedAt: null }
  own.advance(database.back)
  return answer
}
const reference: ReferenceClock = {
  name: 'database',
  read,
  async setOffset({ from, to }) {
    if (database.fails) throw new Error('no answer')
    if (database.offset === from) database.offset = to
  },
  async resetOffset(from) {
    if (database.offset === from && !database.isOpen) database.offset = 0
  },
}
const create = (given = reference) =>
  createSteadyClock(own, {
    reference: given,
    log: { warn: ({ milliseconds }, message) => warnings.push([milliseconds, message]) },
    stepped: () => {
      steps += 1
    },
  })
const settle = () => new Promise((resolve) => setImmediate(resolve))
/** Advances time until the next reading. */
const readAgain = async () => {
  const before = reads
  own.advance(1_000)
  await settle()
  expect(reads).toBe(before + 1)
}
/** The right time. */
const truth = () => start + own.monotonic() - 8_000
const kept = "the database clock was stepped; keeping the service's time"
const followed = "the service's time was set; following it"

beforeEach(async () => {
  own = createFakeClock(start)
  database = { aheadMs: -8_000, offset: 0, isOpen: false, fails: false, there: 0, back: 0 }
  warnings = []
  reads = 0
  steps = 0
  it = await create()
})
afterEach(() => it.stop())

describe('createSteadyClock', () => {
  test("default: the reference clock's time, in whole milliseconds; a different machine clock is logged", () => {
    expect(it.clock.now()).toBe(truth())
    expect(warnings).toEqual([[8_000, "this machine's clock differs from the service's time"]])
    own.advance(1_234.5)
    expect([it.clock.now(), it.clock.monotonic()]).toEqual([Math.floor(truth()), own.monotonic()])
    own.jump(3_600_000)
    expect(it.clock.now()).toBe(Math.floor(truth()))
  })

  test('behavior: a difference of one second is not logged', async () => {
    it.stop()
    warnings = []
    database.aheadMs = 1_000
    it = await create()
    expect(warnings).toEqual([])
  })

  test('behavior: of the first readings, the fastest is used', async () => {
    it.stop()
    const ways = [
      { there: 0, back: 400 },
      { there: 3, back: 1 },
      { there: 500, back: 0 },
    ]
    let at = 0
    it = await create({
      ...reference,
      read() {
        Object.assign(database, ways[at++])
        return read()
      },
    })
    expect(at).toBe(3)
    expect(Math.abs(it.clock.now() - truth())).toBeLessThanOrEqual(4)
  })

  test('behavior: drift is corrected by 5 ms a second, without turning back', async () => {
    database.aheadMs -= 50
    let before = it.clock.now()
    for (const corrected of [-5, -10]) {
      await readAgain()
      expect(it.clock.now()).toBeGreaterThanOrEqual(before)
      own.advance(10)
      before = it.clock.now()
      expect(it.clock.now() - truth()).toBe(corrected)
    }
    expect(warnings).toHaveLength(1)
  })

  test('behavior: a step within a second has no effect; every instance reports it once', async () => {
    for (const step of [5_000, -5_000, 3_600_000, -3_600_000, 86_400_000, -86_400_000]) {
      const [before, counted] = [warnings.length, steps]
      database.aheadMs += step
      await readAgain()
      expect(Math.abs(it.clock.now() - truth())).toBeLessThanOrEqual(1)
      expect(Math.abs(it.clock.offset() - database.offset)).toBe(0)
      await readAgain()
      const expected = expect.closeTo(step, -1)
      expect([warnings.slice(before), steps - counted]).toEqual([[[expected, kept]], 1])
    }
    const other = await create()
    expect(Math.abs(other.clock.now() - it.clock.now())).toBeLessThanOrEqual(1)
    other.stop()
  })

  test('behavior: a step during an outage is compensated after it', async () => {
    database.fails = true
    database.aheadMs += 3_600_000
    await readAgain()
    await readAgain()
    database.fails = false
    await readAgain()
    expect([Math.abs(it.clock.now() - truth()) <= 1, it.clock.offset() - database.offset, steps]).toEqual([true, 0, 1])
  })

  test("behavior: another instance's compensation is reported, and its setting of the time is followed", async () => {
    database.aheadMs += 60_000
    database.offset -= 60_000
    await readAgain()
    expect([it.clock.now() - truth(), it.clock.offset(), steps]).toEqual([0, -60_000, 1])
    database.offset = 0
    await readAgain()
    expect([it.clock.now() - truth(), it.clock.offset(), steps]).toEqual([60_000, 0, 1])
    expect(warnings.slice(1)).toEqual([
      [60_000, kept],
      [60_000, followed],
    ])
    // An auction that was opened before this instance followed.
    expect(it.clock.ageOf(it.clock.now() - 60_000 - 700)).toBe(700)
  })

  test('behavior: the reference clock is followed once three new blocks agree with it and no auction is open', async () => {
    database.aheadMs += 3_600_000
    await readAgain()
    const observe = async (number: bigint, ahead = 3_600_000) => {
      it.clock.observeBlock({ number, timestamp: BigInt(Math.floor((truth() + ahead) / 1_000)) })
      await settle()
      await readAgain()
      return Math.round((it.clock.now() - truth()) / 1_000)
    }
    database.isOpen = true
    for (const number of [1n, 2n, 3n, 4n]) expect(await observe(number)).toBe(0)
    database.isOpen = false
    // The same block, and a block that does not agree, start no step.
    expect([await observe(4n), await observe(5n, 0)]).toEqual([0, 0])
    expect([await observe(6n), await observe(7n), await observe(8n)]).toEqual([0, 0, 3_600])
    expect(it.clock.offset()).toBe(0)
    expect(warnings.at(-1)).toEqual([expect.closeTo(3_600_000, -1), followed])
  })

  test('error: the first reading fails', async () => {
    database.fails = true
    await expect(create()).rejects.toThrow('no answer')
  })

  test('behavior: after stopping, nothing is read', async () => {
    it.stop()
    own.advance(60_000)
    await settle()
    expect([reads, own.pending()]).toEqual([3, 0])
  })
})

describe('createMachineReference', () => {
  test('default: the offset is kept in memory and reset only while no auction is open', async () => {
    let isOpen = true
    const machine = createMachineReference(own, async () => isOpen)
    const offset = async () => (await machine.read(null)).offset
    expect(await machine.read(null)).toEqual({ time: start, offset: 0, agreedAt: null })
    await machine.setOffset({ from: 1, to: 7 })
    expect(await offset()).toBe(0)
    await machine.setOffset({ from: 0, to: 7 })
    await machine.resetOffset(7)
    expect(await offset()).toBe(7)
    isOpen = false
    await machine.resetOffset(0)
    expect(await offset()).toBe(7)
    await machine.resetOffset(7)
    expect(await offset()).toBe(0)
  })

  test("behavior: a machine's clock that was set back does not turn the service's time back", async () => {
    const after = async (seenAt: number) => {
      const { clock, stop } = await create(createMachineReference(own, async () => false, seenAt))
      stop()
      return clock.now() - start
    }
    expect([await after(start + 300_000), await after(start), await after(start - 300_000)]).toEqual([300_000, 0, 0])
    expect(warnings).toContainEqual([-300_000, "this machine's clock differs from the service's time"])
  })
})
