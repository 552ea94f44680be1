import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { describe, expect, test } from '@jest/globals'
import { countDescriptors, readDescriptorLimit, requireDescriptors, watchDescriptors } from './fileDescriptors.ts'

const onLinux = process.platform === 'linux' ? test : test.skip

describe('requireDescriptors', () => {
  test('default: all connections and 256 more fit, or the limit is unknown', () => {
    for (const limit of [1_256, null]) expect(() => requireDescriptors(limit, 1_000)).not.toThrow()
  })

  test('error: one descriptor too few', () => {
    expect(() => requireDescriptors(1_255, 1_000)).toThrow(
      'This process may open 1255 files, but MAX_CONNECTIONS=1000 needs 1256; raise the limit with ulimit -n, LimitNOFILE (systemd) or ulimits (Compose), or set MAX_CONNECTIONS to 999 or less.',
    )
    expect(() => requireDescriptors(256, 1)).toThrow(/ulimits \(Compose\)\.\n/)
  })
})

describe('this process', () => {
  onLinux('default: its limit and its open descriptors are known', () => {
    const limit = readDescriptorLimit()
    expect(limit).toBeGreaterThan(0)
    expect(countDescriptors(limit)).toBeGreaterThan(2)
    expect(countDescriptors(limit)).toBeLessThan(limit ?? 0)
  })
})

describe('watchDescriptors', () => {
  test('default: exhaustion is detected within a second, logged once a minute, and over within a second', () => {
    const clock = createFakeClock()
    const logs: [string, unknown][] = []
    const write = (level: string) => (facts: unknown, message?: string) =>
      void logs.push([`${level} ${message}`, facts])
    let free = 16
    let open = 0
    const watch = watchDescriptors({ clock, log: { info: write('info'), error: write('error') }, limit: 64 }, () => {
      if (open === free) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      open += 1
      return () => {
        open -= 1
      }
    })
    clock.advance(1_000)
    expect([watch.isExhausted(), open, logs]).toEqual([false, 0, []])
    free = 15
    clock.advance(1_000)
    expect([watch.isExhausted(), open]).toEqual([true, 0])
    for (let seconds = 0; seconds < 60; seconds += 1) clock.advance(1_000)
    free = 16
    clock.advance(1_000)
    expect(watch.isExhausted()).toBe(false)
    const exhausted = [
      'error out of file descriptors; new connections are dropped',
      { err: expect.any(Error), limit: 64 },
    ]
    expect(logs).toEqual([exhausted, exhausted, ['info file descriptors are available again', { seconds: 61 }]])
    watch.stop()
    free = 0
    clock.advance(1_000)
    expect(watch.isExhausted()).toBe(false)
  })
})
