import { toPublicRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import type { Address, Hex } from 'viem'
import {
  accruedAllowance,
  allowanceSeconds,
  type Count,
  type Counted,
  countsOf,
  debtKey,
  judgeProof,
  judgeSlot,
  mayBeAbandoned,
} from './quotas.ts'

const limits = { rfqsPerMinute: 2, openRfqs: 3, openAuctions: 5 }
const own = { rfqsPerMinute: 2, openRfqs: 3 }
const one: Count = { key: 'one', limits: own }
const wide: Count = { key: 'wide', limits: { rfqsPerMinute: 4, openRfqs: 6 } }
const taker: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const poolId: Hex = `0x${'22'.repeat(32)}`
const debt = { taker, poolId, debt: 100n, fixed: 10n, taken: new Map<string, bigint>() }
const rfqId = toPublicRfqId('ab'.repeat(16))
const verified = (notional: bigint) => ({ rfqId, debt, notional, counts: [{ key: 'taker', limits: own }] })

/** Creates counters that are zero except for the changes. */
function counted(changes: {
  totals?: Partial<Counted['totals']>
  open?: Record<string, number>
  times?: Record<string, number[]>
  reserved?: bigint
}): Counted {
  return {
    now: 100_000,
    totals: { open: 0, unverified: 0, abandoned: 0, ...changes.totals },
    openOf: (key) => changes.open?.[key] ?? 0,
    times: (key) => changes.times?.[key] ?? [],
    reserved: () => changes.reserved ?? 0n,
  }
}

const judge = (changes: Parameters<typeof counted>[0], asked: Partial<Parameters<typeof judgeSlot>[0]> = {}) =>
  judgeSlot({ counts: [one, wide], taker: null, ...asked }, counted(changes), limits)

describe('judgeSlot', () => {
  test('default', () => {
    expect(judge({})).toEqual({ ok: true, verified: false, counts: [one, wide] })
    const asked = verified(90n)
    expect(judge({}, { taker: asked })).toEqual({ ok: true, verified: true, counts: asked.counts })
  })

  test('behavior: a debt verifies an RFQ that fits beyond the fixed and reserved parts', () => {
    expect(judge({ reserved: 20n }, { taker: verified(70n) })).toMatchObject({ verified: true })
    expect(judge({ reserved: 20n }, { taker: verified(71n) })).toMatchObject({ verified: false, counts: [one, wide] })
  })

  test('behavior: verified requests may use all slots, others half, rounded up', () => {
    const full = { ok: false, rejection: { code: 'OVERLOADED' }, key: null }
    expect(judge({ totals: { open: 4, unverified: 2 } })).toMatchObject({ ok: true })
    expect(judge({ totals: { open: 4, unverified: 3 } })).toEqual(full)
    expect(judge({ totals: { open: 4, unverified: 3 } }, { taker: verified(1n) })).toMatchObject({ ok: true })
    expect(judge({ totals: { open: 5 } }, { taker: verified(1n) })).toEqual(full)
    expect(judge({ totals: { open: 5 } })).toEqual(full)
  })

  test('behavior: each requester has a limit on open auctions', () => {
    expect(judge({ open: { one: 2, wide: 5 } })).toMatchObject({ ok: true })
    const tooMany = (open: number, limit: number) => ({ code: 'TOO_MANY_OPEN', open, limit })
    expect(judge({ open: { one: 3 } })).toEqual({ ok: false, rejection: tooMany(3, 3), key: 'one' })
    expect(judge({ open: { wide: 7 } })).toEqual({ ok: false, rejection: tooMany(7, 6), key: 'wide' })
    expect(judge({ open: { one: 3, wide: 6 } }, { taker: verified(1n) })).toMatchObject({ ok: true })
    expect(judge({ open: { taker: 3 } }, { taker: verified(1n) })).toMatchObject({ key: 'taker' })
  })

  test('behavior: the retry delay is in whole seconds, at least one', () => {
    expect(judge({ times: { one: [99_999], wide: [1, 2, 3] } })).toMatchObject({ ok: true })
    const late = (retryAfterSeconds: number, key: string) => ({
      ok: false,
      rejection: { code: 'RATE_LIMITED', retryAfterSeconds },
      key,
    })
    expect(judge({ times: { one: [70_000, 80_000] } })).toEqual(late(30, 'one'))
    expect(judge({ times: { one: [1, 70_001, 80_000] } })).toEqual(late(31, 'one'))
    expect(judge({ times: { wide: [40_000, 1, 2, 3] } })).toEqual(late(1, 'wide'))
    expect(judge({ times: { one: [70_000, 80_000] }, open: { wide: 6 } })).toMatchObject({ key: 'wide' })
  })
})

test('judgeProof: five for each RFQ of a minute', () => {
  const times = (count: number) => counted({ times: { one: Array.from({ length: count }, (_, n) => 50_000 + n) } })
  expect(judgeProof([one, wide], times(9))).toBeNull()
  expect(judgeProof([wide, one], times(10))).toEqual({
    ok: false,
    rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 10 },
    key: 'one',
  })
})

test('mayBeAbandoned: half of the slots, rounded up', () => {
  expect([2, 3].map((abandoned) => mayBeAbandoned({ abandoned }, limits))).toEqual([true, false])
  expect([0, 1].map((abandoned) => mayBeAbandoned({ abandoned }, { ...limits, openAuctions: 1 }))).toEqual([
    true,
    false,
  ])
})

test('allowances grow by one in three seconds, to twenty', () => {
  expect(accruedAllowance({ left: 1, at: 1_000 }, 4_000)).toBeCloseTo(2)
  expect(accruedAllowance({ left: 19, at: 0 }, 1e9)).toBe(20)
  expect([0, 0.5, 0.9].map(allowanceSeconds)).toEqual([3, 2, 1])
})

test('debtKey: the case does not matter, the pool does', () => {
  expect(debtKey({ taker: taker.toLowerCase() as Address, poolId })).toBe(debtKey({ taker, poolId }))
  expect(debtKey({ taker, poolId: `0x${'33'.repeat(32)}` })).not.toBe(debtKey({ taker, poolId }))
})

describe('countsOf', () => {
  const integrator = { id: 'ab', limits: { rfqsPerMinute: 600, openRfqs: 100 } }

  test('default: a verified taker counts by proof, and with twice as much in total, from any address', () => {
    const requester = { address: '2001:db8:1:2::/64', wider: '2001:db8:1::/48', integrator }
    expect(countsOf(requester, { taker: '0xAb', timestamp: 7 }, limits)).toEqual([
      { key: 'taker 0xab 7', limits: own },
      { key: 'taker 0xab', limits: { rfqsPerMinute: 4, openRfqs: 6 } },
    ])
  })

  test('behavior: an integrator by its key, others by their networks, the wider one with four times as much', () => {
    const requester = { address: '2001:db8:1:2::/64', wider: '2001:db8:1::/48' }
    expect(countsOf({ ...requester, integrator }, null, limits)).toEqual([
      { key: 'integrator ab', limits: integrator.limits },
    ])
    expect(countsOf(requester, null, limits)).toEqual([
      { key: requester.address, limits: own },
      { key: requester.wider, limits: { rfqsPerMinute: 8, openRfqs: 12 } },
    ])
    expect(countsOf({ address: '203.0.113.7' }, null, limits)).toEqual([{ key: '203.0.113.7', limits: own }])
  })
})
