import { describe, expect, test } from '@jest/globals'
import { auctionAge, type ClockReading, firstTime, fitsReference, judgeReading, slewMs, stepMs } from './steadyTime.ts'

const now = 1_700_000_000_000
const known = { fromMonotonic: now, offset: 0 }
/** A reading that takes no time, at monotonic time 0, of a reference clock that is ahead by `ahead` milliseconds. */
const readingOf = (ahead: number, rest: Partial<ClockReading> = {}): ClockReading => ({
  ...{ sentAt: 0, receivedAt: 0, offset: 0, agreedAt: null },
  time: now + ahead,
  ...rest,
})
const judge = (ahead: number, rest: Partial<ClockReading> = {}, offset = 0) => {
  const verdict = judgeReading({ ...known, offset }, readingOf(ahead, rest))
  return [verdict.do, verdict.time.fromMonotonic - now, verdict.time.offset]
}

describe('firstTime', () => {
  test('default: the middle of the first bounds, then within the bounds of each reading', () => {
    const first = firstTime(null, readingOf(0, { sentAt: -9, receivedAt: 0 }))
    expect(first).toEqual({ fromMonotonic: now + 4.5, offset: 0 })
    expect(firstTime(first, readingOf(0, { offset: 7 }))).toEqual({ fromMonotonic: now + 7, offset: 7 })
    expect(firstTime(first, readingOf(0))).toEqual({ fromMonotonic: now, offset: 0 })
  })
})

describe('judgeReading', () => {
  test('default: drift is corrected by at most 5 ms', () => {
    expect(judge(3)).toEqual(['slew', 3, 0])
    expect(judge(-3)).toEqual(['slew', -3, 0])
    expect(judge(50)).toEqual(['slew', slewMs, 0])
    expect(judge(-50)).toEqual(['slew', -slewMs, 0])
  })

  test('behavior: a reading within its bounds changes nothing, however slow it was', () => {
    expect(judge(0, { sentAt: -900, receivedAt: 0 })).toEqual(['slew', 0, 0])
    expect(judge(900, { sentAt: 0, receivedAt: 900 })).toEqual(['slew', 0, 0])
    expect(judge(901, { sentAt: 0, receivedAt: 900 })).toEqual(['slew', 1, 0])
  })

  test('behavior: a step of the reference clock is compensated', () => {
    expect(judge(stepMs)).toEqual(['slew', slewMs, 0])
    expect(judge(stepMs + 1)).toEqual(['keep', 0, -stepMs - 1])
    expect(judge(-stepMs)).toEqual(['slew', -slewMs, 0])
    expect(judge(-stepMs - 1)).toEqual(['keep', 0, stepMs + 1])
    // A step back to the right time.
    expect(judge(3_600_000 - 5_000, { offset: 5_000 }, 5_000)).toEqual(['keep', 0, 5_000 - 3_600_000])
  })

  test("behavior: another instance's compensation is stored", () => {
    expect(judge(3_600_000, { offset: -3_600_000 })).toEqual(['slew', 0, -3_600_000])
  })

  test('behavior: a changed offset is followed', () => {
    expect(judge(3_600_000, { offset: 0 }, -3_600_000)).toEqual(['follow', 3_600_000, 0])
  })

  test('behavior: a suspended process follows the instances that were not', () => {
    const suspended = (ahead: number, sinceAgreed: number) => judge(ahead, { agreedAt: now + ahead - sinceAgreed })[0]
    expect([suspended(60_000, 0), suspended(60_000, 2_000)]).toEqual(['follow', 'follow'])
    expect([suspended(60_000, -1), suspended(60_000, 2_001)]).toEqual(['keep', 'keep'])
    expect([suspended(2_000, 0), suspended(2_001, 0)]).toEqual(['keep', 'follow'])
  })
})

describe('fitsReference', () => {
  const fits = (offset: number, blockAge: number) => fitsReference({ now, offset, block: now - blockAge })

  test('default: the reference clock is closer to the block and within 30 seconds of it', () => {
    expect(fits(3_600_000, 3_600_000)).toBe(true)
    expect(fits(3_600_000, 0)).toBe(false)
    expect([fits(3_600_000, 3_630_000), fits(3_600_000, 3_630_001)]).toEqual([true, false])
    expect([fits(3_600_000, 3_570_000), fits(3_600_000, 3_569_999)]).toEqual([true, false])
    expect([fits(-5_000, -2_501), fits(-5_000, -2_500)]).toEqual([true, false])
  })

  test('behavior: an offset of a second is kept', () => {
    expect([fits(1_000, 1_000), fits(1_001, 1_001), fits(-1_000, -1_000)]).toEqual([false, true, false])
  })
})

describe('auctionAge', () => {
  const age = (openedAgo: number, by: number, monotonic = 4_000) =>
    auctionAge(now - openedAgo, { now, monotonic, followed: { by, at: 0 } })

  test('default', () => {
    expect(auctionAge(now - 9_000, { now, monotonic: 0, followed: null })).toBe(9_000)
  })

  test('behavior: just after a step, an implausible time was measured before the step', () => {
    for (const by of [3_600_000, -3_600_000]) {
      expect(age(by + 500, by)).toBe(500)
      expect(age(500, by)).toBe(500)
      expect(age(by + 500, by, 4_001)).toBe(by + 500)
      expect([age(by - 100, by), age(by - 101, by)]).toEqual([-100, by - 101])
      expect([age(by + 8_000, by), age(by + 8_001, by)]).toEqual([8_000, by + 8_001])
    }
  })
})
