import { describe, expect, jest, test } from '@jest/globals'
import { createSystemClock } from './systemClock.ts'

describe('createSystemClock', () => {
  test('default', async () => {
    const clock = createSystemClock()
    const start = clock.monotonic()
    await new Promise<void>((resolve) => clock.after(20, resolve))
    expect(clock.monotonic() - start).toBeGreaterThanOrEqual(20)
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000)
  })

  test('behavior: a jump of the wall clock moves neither the monotonic clock nor a timer', async () => {
    const clock = createSystemClock()
    const wall = jest.spyOn(Date, 'now').mockReturnValue(0)
    try {
      const start = clock.monotonic()
      const fired = new Promise<void>((resolve) => clock.after(10, resolve))
      wall.mockReturnValue(8.64e12)
      await fired
      expect(clock.now()).toBe(8.64e12)
      expect(clock.monotonic() - start).toBeLessThan(5_000)
    } finally {
      wall.mockRestore()
    }
  })

  test('behavior: a cancelled callback never comes', async () => {
    const clock = createSystemClock()
    const called: string[] = []
    clock.after(5, () => called.push('cancelled'))()
    await new Promise<void>((resolve) => clock.after(10, resolve))
    expect(called).toEqual([])
  })
})
