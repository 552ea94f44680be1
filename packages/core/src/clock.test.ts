import { describe, expect, jest, test } from '@jest/globals'
import { systemClock } from './clock.ts'

describe('systemClock', () => {
  test('default', async () => {
    const start = systemClock.monotonic()
    await new Promise<void>((resolve) => systemClock.after(20, resolve))
    expect(systemClock.monotonic() - start).toBeGreaterThanOrEqual(20)
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000)
  })

  test('behavior: a wall-clock jump affects neither the monotonic clock nor timers', async () => {
    const wall = jest.spyOn(Date, 'now').mockReturnValue(0)
    try {
      const start = systemClock.monotonic()
      const fired = new Promise<void>((resolve) => systemClock.after(10, resolve))
      wall.mockReturnValue(8.64e12)
      await fired
      expect(systemClock.now()).toBe(8.64e12)
      expect(systemClock.monotonic() - start).toBeLessThan(5_000)
    } finally {
      wall.mockRestore()
    }
  })

  test('behavior: a cancelled callback is never called', async () => {
    const called: string[] = []
    systemClock.after(5, () => called.push('cancelled'))()
    await new Promise<void>((resolve) => systemClock.after(10, resolve))
    expect(called).toEqual([])
  })

  test('behavior: a delay beyond the timer limit does not fire immediately', () => {
    const timeouts = jest.spyOn(globalThis, 'setTimeout')
    try {
      systemClock.after(2 ** 40, () => {})()
      expect(timeouts.mock.lastCall?.[1]).toBe(2 ** 31 - 1)
    } finally {
      timeouts.mockRestore()
    }
  })
})
