import { createFakeClock } from '@firmquote/testing/fakeClock'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { createRequestCounter } from './requestLimits.ts'

const limits = { rfqsPerMinute: 3, openRfqs: 2, openAuctions: 100 }

describe('createRequestCounter', () => {
  test('default', () => {
    const counter = createRequestCounter(createFakeClock(), limits)
    const [a, b] = [counter.take('one'), counter.take('one')]
    expect([a.ok, b.ok]).toEqual([true, true])
    expect(counter.take('one')).toEqual({ ok: false, rejection: { code: 'TOO_MANY_OPEN', open: 2, limit: 2 } })
    expect(counter.take('two').ok).toBe(true)
    if (a.ok) a.value()
    expect(counter.take('one').ok).toBe(true)
  })

  test('behavior: giving a place back twice gives back one', () => {
    const counter = createRequestCounter(createFakeClock(), { ...limits, rfqsPerMinute: 100 })
    const first = counter.take('one')
    counter.take('one')
    if (first.ok) {
      first.value()
      first.value()
    }
    expect([counter.take('one').ok, counter.take('one').ok]).toEqual([true, false])
  })

  test('behavior: the minute slides, and the wall clock has no say', () => {
    const clock = createFakeClock()
    const counter = createRequestCounter(clock, limits)
    for (let n = 0; n < 3; n += 1) {
      const place = counter.take('one')
      if (place.ok) place.value()
      clock.advance(10_000)
    }
    clock.jump(86_400_000)
    expect(counter.take('one')).toEqual({ ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 30 } })
    clock.advance(29_999)
    expect(counter.take('one')).toMatchObject({ rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } })
    clock.advance(1)
    expect(counter.take('one').ok).toBe(true)
  })

  test('behavior: no minute ever holds more than the limit, for any history', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ wait: fc.nat(30_000), who: fc.constantFrom('one', 'two') })), (requests) => {
        const clock = createFakeClock()
        const counter = createRequestCounter(clock, limits)
        const taken: { who: string; at: number }[] = []
        for (const { wait, who } of requests) {
          clock.advance(wait)
          const place = counter.take(who)
          if (place.ok) {
            taken.push({ who, at: clock.monotonic() })
            place.value()
          }
          const recent = taken.filter((item) => item.who === who && item.at > clock.monotonic() - 60_000)
          expect(recent.length).toBeLessThanOrEqual(3)
          // And nobody is refused without need.
          if (!place.ok) expect(recent).toHaveLength(3)
        }
      }),
    )
  })
})
