import { createFakeClock } from '@firmquote/testing/fakeClock'
import { describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import { type Count, countsOf, createRequestLimiter, type Place, type RequestLimits } from './requestLimiter.ts'

const limits = { rfqsPerMinute: 3, openRfqs: 2, openAuctions: 100 }

function createLimiter(changes: Partial<RequestLimits> = {}, clock = createFakeClock()) {
  const given = { ...limits, ...changes }
  const limiter = createRequestLimiter(clock, given)
  return {
    clock,
    ask: (key: string, verified = false) => limiter.acquire([{ key, limits: given }], { verified }),
    acquire: limiter.acquire,
    spendProof: limiter.spendProof,
    take(key: string, verified = false): Place {
      const place = limiter.acquire([{ key, limits: given }], { verified })
      if (!place.ok) throw new TypeError(`refused: ${place.rejection.code}`)
      return place.value
    },
  }
}

describe('createRequestLimiter', () => {
  test('default', () => {
    const { ask, take } = createLimiter()
    const first = take('one')
    take('one')
    expect(ask('one')).toEqual({ ok: false, rejection: { code: 'TOO_MANY_OPEN', open: 2, limit: 2 } })
    expect(ask('two').ok).toBe(true)
    first.release()
    expect(ask('one').ok).toBe(true)
  })

  test('behavior: releasing twice releases once', () => {
    const { ask, take } = createLimiter({ rfqsPerMinute: 100 })
    const first = take('one')
    take('one')
    first.release()
    first.release()
    expect([ask('one').ok, ask('one').ok]).toEqual([true, false])
  })

  test('behavior: the minute slides with the monotonic clock', () => {
    const { ask, take, clock } = createLimiter()
    for (let n = 0; n < 3; n += 1) {
      take('one').release()
      clock.advance(10_000)
    }
    clock.jump(86_400_000)
    expect(ask('one')).toEqual({ ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 30 } })
    clock.advance(29_999)
    expect(ask('one')).toMatchObject({ rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } })
    clock.advance(1)
    expect(ask('one').ok).toBe(true)
  })

  test('behavior: half of the open auctions are kept for verified RFQs, which may have them all', () => {
    const { ask, take } = createLimiter({ openAuctions: 4 })
    take('a')
    const second = take('b')
    expect(ask('c')).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
    take('taker x', true)
    take('taker y', true)
    expect(ask('taker z', true)).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
    second.release()
    take('taker z', true)
    expect(ask('c')).toEqual({ ok: false, rejection: { code: 'OVERLOADED' } })
  })

  test('behavior: verified RFQs alone may have all open auctions, and one place is not halved away', () => {
    const { ask, take } = createLimiter({ openAuctions: 1 })
    const only = take('taker x', true)
    expect(ask('a').ok).toBe(false)
    only.release()
    expect(ask('a').ok).toBe(true)
  })

  test('behavior: an abandoned auction leaves the open ones, up to half as many, and still counts for its requester', () => {
    const { ask, take } = createLimiter({ openAuctions: 4 })
    take('other')
    const first = take('one')
    expect(ask('two').ok).toBe(false)
    expect([first.abandon(), first.abandon()]).toEqual([true, false])
    const second = take('one')
    second.abandon()
    expect(ask('one')).toMatchObject({ rejection: { code: 'TOO_MANY_OPEN' } })
    const third = take('two')
    // Two are abandoned: the third stays among the open ones.
    expect(third.abandon()).toBe(false)
    expect(ask('three')).toMatchObject({ rejection: { code: 'OVERLOADED' } })
    first.release()
    third.abandon()
    const fourth = take('three')
    for (const place of [second, third, fourth]) place.release()
    take('four').abandon()
    take('five').abandon()
    take('six')
    expect(ask('seven')).toMatchObject({ rejection: { code: 'OVERLOADED' } })
  })

  test('behavior: every count must have room, and a refused RFQ counts nowhere', () => {
    const { acquire, clock } = createLimiter()
    const counts = (key: string): Count[] => [
      { key, limits },
      { key: 'wide', limits: { rfqsPerMinute: 4, openRfqs: 3 } },
    ]
    const places = ['a', 'a', 'b'].map((key) => acquire(counts(key), { verified: false }))
    expect(places.every(({ ok }) => ok)).toBe(true)
    expect(acquire(counts('c'), { verified: false })).toEqual({
      ok: false,
      rejection: { code: 'TOO_MANY_OPEN', open: 3, limit: 3 },
    })
    for (const place of places) if (place.ok) place.value.release()
    expect(acquire(counts('c'), { verified: false }).ok).toBe(true)
    expect(acquire(counts('c'), { verified: false })).toMatchObject({ rejection: { code: 'RATE_LIMITED' } })
    clock.advance(60_000)
    expect(acquire(counts('c'), { verified: false }).ok).toBe(true)
  })

  test('behavior: a network may have five proofs checked for each RFQ that it may send', () => {
    const { spendProof, clock } = createLimiter()
    const counts = [{ key: 'one', limits }]
    for (let n = 0; n < 15; n += 1) expect(spendProof(counts).ok).toBe(true)
    expect(spendProof(counts)).toEqual({ ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 60 } })
    expect(spendProof([{ key: 'two', limits }]).ok).toBe(true)
    clock.advance(60_000)
    expect(spendProof(counts).ok).toBe(true)
  })

  test('behavior: the latest 100,000 requesters are remembered, and who came before them is forgotten', () => {
    const { ask, take } = createLimiter({ rfqsPerMinute: 1, openAuctions: 1_000_000 })
    take('first').release()
    take('second').release()
    for (let n = 2; n < 100_000; n += 1) take(`requester ${n}`).release()
    expect(ask('first')).toMatchObject({ rejection: { code: 'RATE_LIMITED' } })
    take('one more').release()
    expect(ask('second')).toMatchObject({ rejection: { code: 'RATE_LIMITED' } })
    expect(ask('first').ok).toBe(true)
  })

  test('behavior: a requester that comes again is among the latest', () => {
    const { ask, take } = createLimiter({ rfqsPerMinute: 2, openAuctions: 1_000_000 })
    take('first').release()
    take('second').release()
    take('first').release()
    for (let n = 2; n < 100_000; n += 1) take(`requester ${n}`).release()
    take('one more').release()
    expect(ask('first')).toMatchObject({ rejection: { code: 'RATE_LIMITED' } })
  })

  test('behavior: for any history no minute holds more than the limit, and no request is refused below it', () => {
    const request = fc.record({ wait: fc.nat(30_000), who: fc.constantFrom('one', 'two') })
    const reached = { allowed: 0, refused: 0 }
    fc.assert(
      fc.property(fc.array(request, { minLength: 20, maxLength: 60 }), (requests) => {
        const { ask, clock } = createLimiter()
        const taken: { who: string; at: number }[] = []
        for (const { wait, who } of requests) {
          clock.advance(wait)
          const place = ask(who)
          reached[place.ok ? 'allowed' : 'refused'] += 1
          if (place.ok) {
            taken.push({ who, at: clock.monotonic() })
            place.value.release()
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

describe('countsOf', () => {
  const own = { rfqsPerMinute: 3, openRfqs: 2 }
  const integrator = { id: 'ab', limits: { rfqsPerMinute: 600, openRfqs: 100 } }

  test('default: a verified taker counts by itself, whatever it comes from', () => {
    const requester = { address: '2001:db8:1:2::/64', wider: '2001:db8:1::/48', integrator }
    expect(countsOf(requester, '0xAb', limits)).toEqual([{ key: 'taker 0xab', limits: own }])
  })

  test('behavior: an integrator by its key, others by their networks, the wider one with four times as much', () => {
    const requester = { address: '2001:db8:1:2::/64', wider: '2001:db8:1::/48' }
    expect(countsOf({ ...requester, integrator }, null, limits)).toEqual([
      { key: 'integrator ab', limits: integrator.limits },
    ])
    expect(countsOf(requester, null, limits)).toEqual([
      { key: requester.address, limits: own },
      { key: requester.wider, limits: { rfqsPerMinute: 12, openRfqs: 8 } },
    ])
    expect(countsOf({ address: '203.0.113.7' }, null, limits)).toEqual([{ key: '203.0.113.7', limits: own }])
  })
})
