import { createFakeClock } from '@firmquote/testing/fakeClock'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { createRequestLimiter } from './requestLimiter.ts'

const limits = { rfqsPerMinute: 3, openRfqs: 2, openAuctions: 100 }

describe('createRequestLimiter', () => {
  test('default', () => {
    const limiter = createRequestLimiter(createFakeClock(), limits)
    const [a, b] = [limiter.acquire('one'), limiter.acquire('one')]
    expect([a.ok, b.ok]).toEqual([true, true])
    expect(limiter.acquire('one')).toEqual({ ok: false, rejection: { code: 'TOO_MANY_OPEN', open: 2, limit: 2 } })
    expect(limiter.acquire('two').ok).toBe(true)
    if (a.ok) a.value()
    expect(limiter.acquire('one').ok).toBe(true)
  })

  test('behavior: releasing twice releases once', () => {
    const limiter = createRequestLimiter(createFakeClock(), { ...limits, rfqsPerMinute: 100 })
    const first = limiter.acquire('one')
    limiter.acquire('one')
    if (first.ok) {
      first.value()
      first.value()
    }
    expect([limiter.acquire('one').ok, limiter.acquire('one').ok]).toEqual([true, false])
  })

  test('behavior: the minute slides with the monotonic clock', () => {
    const clock = createFakeClock()
    const limiter = createRequestLimiter(clock, limits)
    for (let n = 0; n < 3; n += 1) {
      const place = limiter.acquire('one')
      if (place.ok) place.value()
      clock.advance(10_000)
    }
    clock.jump(86_400_000)
    expect(limiter.acquire('one')).toEqual({ ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 30 } })
    clock.advance(29_999)
    expect(limiter.acquire('one')).toMatchObject({ rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } })
    clock.advance(1)
    expect(limiter.acquire('one').ok).toBe(true)
  })

  test('behavior: for any history no minute holds more than the limit, and no request is refused below it', () => {
    const request = fc.record({ wait: fc.nat(30_000), who: fc.constantFrom('one', 'two') })
    const reached = { allowed: 0, refused: 0 }
    fc.assert(
      fc.property(fc.array(request, { minLength: 20, maxLength: 60 }), (requests) => {
        const clock = createFakeClock()
        const limiter = createRequestLimiter(clock, limits)
        const taken: { who: string; at: number }[] = []
        for (const { wait, who } of requests) {
          clock.advance(wait)
          const place = limiter.acquire(who)
          reached[place.ok ? 'allowed' : 'refused'] += 1
          if (place.ok) {
            taken.push({ who, at: clock.monotonic() })
            place.value()
          }
          const recent = taken.filter((item) => item.who === who && item.at > clock.monotonic() - 60_000)
          expect(recent.length).toBeLessThanOrEqual(3)
          if (!place.ok) expect(recent).toHaveLength(3)
        }
      }),
    )
    expect(reached.allowed).toBeGreaterThan(500)
    expect(reached.refused).toBeGreaterThan(100)
  })
})
