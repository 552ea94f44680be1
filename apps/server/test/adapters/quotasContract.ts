import { randomBytes } from 'node:crypto'
import { toPublicRfqId } from '@firmquote/core'
import { describe, expect, test } from '@jest/globals'
import { type Address, type Hex, maxUint256 } from 'viem'
import type { Count, QuotaRejection, RequestLimits } from '../../src/domain/quotas.ts'
import type { TakerDebt } from '../../src/domain/takerDebt.ts'
import type { Quotas, Slot } from '../../src/ports/quotas.ts'
import { waitUntil } from '../waitUntil.ts'

/** Instances that share quotas. `advance` advances their clock. */
export type QuotasFixture = { instances: readonly [Quotas, ...Quotas[]]; advance(milliseconds: number): void }

const limits = { rfqsPerMinute: 3, openRfqs: 2, openAuctions: 100 }
const keptMs = 25_000
const taker: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const debt: TakerDebt = { taker, poolId: `0x${'22'.repeat(32)}`, debt: 100n, fixed: 0n, taken: new Map() }

const newRfqId = () => toPublicRfqId(randomBytes(16).toString('hex'))

/** Tests for every quotas adapter. Times are compared only to the second, because the clock may be running. */
export function describeQuotasContract(name: string, create: (limits: RequestLimits) => Promise<QuotasFixture>): void {
  const start = async (changes: Partial<RequestLimits> = {}) => {
    const given = { ...limits, ...changes }
    const bench = await create(given)
    let turn = 0
    /** Calls the instances in turn. */
    const quotas = () => {
      turn += 1
      return bench.instances[turn % bench.instances.length] ?? bench.instances[0]
    }
    const countsOf = (key: string): Count[] => [{ key, limits: given }]
    const ask = async (counts: string | Count[], more: Partial<Parameters<Quotas['admit']>[0]> = {}, kept = keptMs) => {
      const asked = { counts: typeof counts === 'string' ? countsOf(counts) : counts, taker: null, ...more }
      const admitted = await quotas().admit(asked, kept)
      return admitted.ok ? admitted.slot : admitted.rejection
    }
    const take = async (...asked: Parameters<typeof ask>) => mustBePlace(await ask(...asked))
    const verify = (key: string, its: TakerDebt, notional: bigint, rfqId = newRfqId()) =>
      ask('net', { taker: { rfqId, debt: its, notional, counts: countsOf(key) } })
    /** Requests checks concurrently, from one instance or from each in turn. Returns the admitted checks. */
    const admitChecks = async (sender: string, count: number, of?: Quotas) => {
      const asked = await Promise.all(Array.from({ length: count }, () => (of ?? quotas()).admitCheck(sender)))
      return asked.filter((answer) => answer.ok)
    }
    return { ...bench, quotas, ask, take, verify, admitChecks }
  }

  describe(`quotas: ${name}`, () => {
    test('default: open auctions per requester are limited, and releasing one frees a slot', async () => {
      const { ask, take } = await start()
      const first = await take('one')
      await take('one')
      expect(await ask('one')).toEqual({ code: 'TOO_MANY_OPEN', open: 2, limit: 2 })
      expect(isSlot(await ask('two'))).toBe(true)
      first.release()
      first.release()
      await settled(async () => isSlot(await ask('one')))
      expect(await ask('one')).toEqual({ code: 'TOO_MANY_OPEN', open: 2, limit: 2 })
    })

    test('behavior: simultaneous requests are not all the last one admitted', async () => {
      const { ask } = await start({ rfqsPerMinute: 7, openRfqs: 7 })
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask('one')))
      expect(answers.filter(isSlot)).toHaveLength(7)
    })

    test('behavior: the minute slides', async () => {
      const { ask, take, advance } = await start({ openRfqs: 9 })
      const isLimited = async () => expect(await ask('one')).toMatchObject({ code: 'RATE_LIMITED' })
      const pass = async () => (await take('one')).release()
      for (let n = 0; n < 3; n += 1) {
        await pass()
        advance(10_000)
      }
      await isLimited()
      advance(28_000)
      await isLimited()
      advance(2_000)
      await pass()
      advance(1_000)
      await isLimited()
    })

    test('behavior: a refunded RFQ does not count, and is refunded once', async () => {
      const { quotas, ask, take, advance } = await start({ openRfqs: 9 })
      for (let attempt = 0; attempt < 16; attempt += 1) {
        const slot = await take('one')
        slot.refund()
        slot.refund()
        slot.release()
        await settled(async () => (await quotas().totals()).open === 0)
      }
      const released = await take('one')
      released.release()
      released.refund()
      advance(1_000)
      await take('one')
      const last = await take('one')
      expect(await ask('one')).toMatchObject({ code: 'RATE_LIMITED' })
      last.refund()
      await settled(async () => isSlot(await ask('one')))
      expect(await ask('one')).toMatchObject({ code: 'RATE_LIMITED' })
    })

    test('behavior: concurrent refunds uncount only their own RFQs, even at the same time', async () => {
      const { ask, quotas } = await start({ rfqsPerMinute: 8, openRfqs: 100 })
      const slots = (await Promise.all(Array.from({ length: 8 }, () => ask('one')))).filter(isSlot)
      for (const slot of slots.slice(0, 5)) slot.refund()
      for (const slot of slots.slice(5)) slot.release()
      await settled(async () => (await quotas().totals()).open === 0)
      const answers = await Promise.all(Array.from({ length: 100 }, () => ask('one')))
      expect(answers.filter(isSlot)).toHaveLength(5)
    })

    test('behavior: a refund uncounts its own RFQ, not an older or newer one', async () => {
      const { ask, take, advance } = await start({ openRfqs: 9 })
      await take('one')
      advance(20_000)
      const failed = await take('one')
      advance(20_000)
      await take('one')
      failed.refund()
      await settled(async () => isSlot(await ask('one')))
      advance(20_001)
      // The first RFQ is over. The refunded one would be over in 20 seconds, and the others are over in 40.
      expect(isSlot(await ask('one'))).toBe(true)
      const rejection = await ask('one')
      expect('retryAfterSeconds' in rejection && rejection.retryAfterSeconds).toBeGreaterThan(30)
    })

    test('behavior: a refund after the slot has expired is lost', async () => {
      const { ask, take, advance, quotas } = await start({ rfqsPerMinute: 1 })
      const slot = await take('one')
      advance(keptMs + 1)
      await take('two')
      slot.refund()
      await settled(async () => (await quotas().totals()).open === 1)
      expect(await ask('one')).toMatchObject({ code: 'RATE_LIMITED' })
    })

    test('behavior: half of the auction slots are reserved for verified RFQs, which may use all of them', async () => {
      const { ask, take, verify } = await start({ openAuctions: 4 })
      await take('a')
      const second = await take('b')
      expect(await ask('c')).toEqual({ code: 'OVERLOADED' })
      const [x, y, z] = [debtOf('x'), debtOf('y'), debtOf('z')]
      expect([isSlot(await verify('x', x, 1n)), isSlot(await verify('y', y, 1n))]).toEqual([true, true])
      expect(await verify('z', z, 1n)).toEqual({ code: 'OVERLOADED' })
      second.release()
      await settled(async () => isSlot(await verify('z', z, 1n)))
      expect(await ask('c')).toEqual({ code: 'OVERLOADED' })
    })

    test('behavior: the slots in use are counted across all instances', async () => {
      const { instances, verify, take } = await start()
      const totals = () => Promise.all(instances.map((each) => each.totals()))
      const all = <T>(value: T) => instances.map(() => value)
      expect(await totals()).toEqual(all({ open: 0, unverified: 0, abandoned: 0 }))
      const first = await take('one')
      const second = await take('two')
      await verify('three', debt, 10n)
      expect(await totals()).toEqual(all({ open: 3, unverified: 2, abandoned: 0 }))
      await first.abandon()
      expect(await totals()).toEqual(all({ open: 2, unverified: 1, abandoned: 1 }))
      second.release()
      await settled(async () => (await instances[0].totals()).open === 1)
    })

    test('behavior: up to half as many abandoned auctions free their slots, but still count for their requesters', async () => {
      const { ask, take, advance } = await start({ openAuctions: 4 })
      await take('other', {}, 600_000)
      const first = await take('one', {}, 600_000)
      expect(await ask('two')).toEqual({ code: 'OVERLOADED' })
      expect([await first.abandon(), await first.abandon()]).toEqual([true, false])
      advance(1_000)
      const second = await take('one', {}, 600_000)
      expect(await second.abandon()).toBe(true)
      expect(await ask('one')).toMatchObject({ code: 'TOO_MANY_OPEN' })
      const third = await take('two', {}, 600_000)
      // Two auctions have been abandoned, so the third one stays open.
      expect(await third.abandon()).toBe(false)
      expect(await ask('three')).toEqual({ code: 'OVERLOADED' })
      first.release()
      await settled(() => third.abandon())
      const fourth = await take('three')
      for (const slot of [second, third, fourth]) slot.release()
      expect(await third.abandon()).toBe(false)
    })

    test('behavior: every limit must have room, and a refused RFQ counts towards none', async () => {
      const { ask, advance } = await start()
      const counts = (key: string): Count[] => [
        { key, limits },
        { key: 'wide', limits: { rfqsPerMinute: 4, openRfqs: 3 } },
      ]
      const slots = [await ask(counts('a')), await ask(counts('a')), await ask(counts('b'))]
      expect(slots.every(isSlot)).toBe(true)
      expect(await ask(counts('c'))).toEqual({ code: 'TOO_MANY_OPEN', open: 3, limit: 3 })
      for (const slot of slots.filter(isSlot)) slot.release()
      await settled(async () => isSlot(await ask(counts('c'))))
      expect(await ask(counts('c'))).toMatchObject({ code: 'RATE_LIMITED' })
      advance(61_000)
      expect(isSlot(await ask(counts('c')))).toBe(true)
    })

    test('behavior: a network may have five proofs checked per allowed RFQ', async () => {
      const { quotas, advance } = await start()
      const spend = (key: string) => quotas().spendProof([{ key, limits }])
      const answers = await Promise.all(Array.from({ length: 100 }, () => spend('one')))
      expect(answers.filter((rejection) => rejection === null)).toHaveLength(15)
      expect(answers.find((rejection) => rejection !== null)).toMatchObject({ code: 'RATE_LIMITED' })
      expect(await spend('two')).toBeNull()
      advance(61_000)
      expect(await spend('one')).toBeNull()
    })

    test('behavior: two concurrent RFQs cannot reserve the same debt, and an ended one releases its share', async () => {
      const { verify } = await start({ rfqsPerMinute: 100, openRfqs: 100 })
      const first = await verify('t', debt, 60n)
      expect(first).toMatchObject({ verified: true })
      expect(await verify('t', debt, 41n)).toMatchObject({ verified: false })
      expect(await verify('t', debt, 40n)).toMatchObject({ verified: true })
      mustBePlace(first).release()
      await settled(async () => {
        const slot = mustBePlace(await verify('t', debt, 60n))
        if (!slot.verified) slot.release()
        return slot.verified
      })
      expect(await verify('t', debt, 1n)).toMatchObject({ verified: false })
    })

    test('behavior: what a taker has taken in its open RFQs is fixed and not reserved any more', async () => {
      const { verify } = await start({ rfqsPerMinute: 100, openRfqs: 100 })
      const [first, other] = [newRfqId(), newRfqId()]
      const given = mustBePlace(await verify('t', debt, 60n, first))
      await verify('t', debt, 20n, other)
      const after = (fixed: bigint, ...taken: [string, bigint][]) => ({ ...debt, fixed, taken: new Map(taken) })
      expect(await verify('t', after(50n, [first, 50n]), 21n)).toMatchObject({ verified: false })
      const rest = mustBePlace(await verify('t', after(50n, [first, 50n]), 20n))
      expect(rest.verified).toBe(true)
      rest.release()
      // A taker cannot free more than an RFQ has reserved, and nothing in an RFQ that has ended.
      expect(await verify('t', after(70n, [first, 70n]), 11n)).toMatchObject({ verified: false })
      given.release()
      await settled(async () => {
        const slot = mustBePlace(await verify('t', after(50n, [first, 50n]), 30n))
        slot.release()
        return slot.verified
      })
      expect(await verify('t', after(50n, [first, 50n]), 31n)).toMatchObject({ verified: false })
    })

    test('behavior: debts are separate per pool and taker, and addresses are case-insensitive', async () => {
      const { verify } = await start({ rfqsPerMinute: 100, openRfqs: 100 })
      const whole = { ...debt, debt: maxUint256 }
      expect(await verify('t', whole, maxUint256)).toMatchObject({ verified: true })
      const lower = { ...whole, taker: taker.toLowerCase() as Address }
      expect(await verify('t', lower, 1n)).toMatchObject({ verified: false })
      expect(await verify('t', { ...debt, poolId: `0x${'33'.repeat(32)}` }, 100n)).toMatchObject({ verified: true })
      expect(await verify('t', debtOf('other'), 100n)).toMatchObject({ verified: true })
    })

    test('behavior: a slot that is not released expires, with its reservation', async () => {
      const { quotas, ask, take, verify, advance } = await start({ rfqsPerMinute: 100, openAuctions: 8 })
      await take('one')
      const last = await take('one')
      await verify('t', debt, 100n)
      expect((await quotas().totals()).open).toBe(3)
      advance(keptMs - 2_000)
      expect(await ask('one')).toMatchObject({ code: 'TOO_MANY_OPEN' })
      expect(await verify('t', debt, 1n)).toMatchObject({ verified: false })
      advance(2_001)
      // The unverified RFQ came later.
      expect((await quotas().totals()).open).toBe(1)
      expect(await verify('t', debt, 100n)).toMatchObject({ verified: true })
      expect([isSlot(await ask('one')), isSlot(await ask('one'))]).toEqual([true, true])
      // A slot cannot be released twice.
      last.release()
      expect(await last.abandon()).toBe(false)
      expect(await ask('one')).toMatchObject({ code: 'TOO_MANY_OPEN' })
    })

    test('behavior: twenty checks per sender may fail, and one is restored every three seconds', async () => {
      const { quotas, admitChecks, advance } = await start()
      expect(isAbout((await admitChecks('one', 100)).length, 20)).toBe(true)
      expect(await quotas().admitCheck('one')).toMatchObject({ ok: false, retryAfterSeconds: expect.any(Number) })
      expect(await admitChecks('two', 1)).toHaveLength(1)
      advance(7_000)
      expect(isAbout((await admitChecks('one', 100)).length, 2)).toBe(true)
    })

    test('behavior: a returned check does not count, and pending checks do not exceed the allowance', async () => {
      const { instances, admitChecks } = await start()
      // The slot is free immediately on this instance and shortly afterwards on the others.
      const [quotas] = instances
      for (let n = 0; n < 100; n += 1) {
        const [check] = await admitChecks('one', 1, quotas)
        if (!check) throw new TypeError('refused')
        check.giveBack()
      }
      for (let again = 0; again < 2; again += 1) {
        const checks = await admitChecks('one', 25, quotas)
        expect(isAbout(checks.length, 20)).toBe(true)
        for (const check of checks) check.giveBack()
      }
    })
  })
}

const isSlot = (answer: Slot | QuotaRejection): answer is Slot => !('code' in answer)

function mustBePlace(answer: Slot | QuotaRejection): Slot {
  if (!isSlot(answer)) throw new TypeError(`refused: ${JSON.stringify(answer)}`)
  return answer
}

/**
 * Whether the count is as expected or one higher, because another check may have become available meanwhile.
 */
function isAbout(count: number, expected: number): boolean {
  return count === expected || count === expected + 1
}

/** Another taker's debt of 100. */
function debtOf(name: string): TakerDebt {
  return { ...debt, taker: `0x${Buffer.from(name).toString('hex').padEnd(40, '0')}` as Hex }
}

/** Waits until the other instances have seen a release. */
const settled = (isDone: () => Promise<boolean>) => waitUntil(isDone, 5_000)
