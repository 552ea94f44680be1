import { toRfqId } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { beforeEach, describe, expect, test } from '@jest/globals'
import * as fc from 'fast-check'
import type { Address, Hex } from 'viem'
import { describeQuotasContract } from '../../test/adapters/quotasContract.ts'
import type { RequestLimits } from '../domain/quotas.ts'
import { publicRfqId } from '../domain/rfqIds.ts'
import type { Quotas } from '../ports/quotas.ts'
import { createInProcessQuotas } from './inProcessQuotas.ts'

const limits = { rfqsPerMinute: 3, openRfqs: 2, openAuctions: 100 }
const longMs = 1e9

describeQuotasContract('of one process', async (given) => {
  const clock = createFakeClock()
  return { instances: [createInProcessQuotas(clock, given)], advance: clock.advance }
})

function createQuotas(changes: Partial<RequestLimits> = {}, clock = createFakeClock()) {
  const given = { ...limits, ...changes }
  const quotas = createInProcessQuotas(clock, given)
  const ask = (key: string) => quotas.admit({ counts: [{ key, limits: given }], taker: null }, longMs)
  return {
    quotas,
    clock,
    ask,
    async take(key: string) {
      const admitted = await ask(key)
      if (!admitted.ok) throw new TypeError(`refused: ${admitted.rejection.code}`)
      return admitted.slot
    },
  }
}

describe('createInProcessQuotas', () => {
  test('behavior: the one-minute window slides with the monotonic clock', async () => {
    const { ask, take, clock } = createQuotas()
    for (let n = 0; n < 3; n += 1) {
      const slot = await take('one')
      slot.release()
      clock.advance(10_000)
    }
    clock.jump(86_400_000)
    expect(await ask('one')).toEqual({ ok: false, rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 30 } })
    clock.advance(29_999)
    expect(await ask('one')).toMatchObject({ rejection: { code: 'RATE_LIMITED', retryAfterSeconds: 1 } })
    clock.advance(1)
    expect((await ask('one')).ok).toBe(true)
  })

  test('behavior: each call decides synchronously', async () => {
    const { quotas, ask } = createQuotas({ openAuctions: 2, rfqsPerMinute: 100, openRfqs: 100 })
    const answers = [ask('one'), ask('one')]
    const first = quotas.admitCheck('one')
    expect([(await answers[1])?.ok, (await answers[0])?.ok, (await first).ok]).toEqual([false, true, true])
  })

  test('behavior: the latest 100,000 requesters are remembered, and earlier ones are evicted', async () => {
    const { ask, take } = createQuotas({ rfqsPerMinute: 1, openAuctions: 1_000_000 })
    const pass = async (key: string) => (await take(key)).release()
    await pass('first')
    await pass('second')
    for (let n = 2; n < 100_000; n += 1) await pass(`requester ${n}`)
    expect(await ask('first')).toMatchObject({ rejection: { code: 'RATE_LIMITED' } })
    await pass('one more')
    expect(await ask('second')).toMatchObject({ rejection: { code: 'RATE_LIMITED' } })
    expect((await ask('first')).ok).toBe(true)
  })

  test('behavior: a returning requester counts as recent', async () => {
    const { ask, take } = createQuotas({ rfqsPerMinute: 2, openAuctions: 1_000_000 })
    const pass = async (key: string) => (await take(key)).release()
    await pass('first')
    await pass('second')
    await pass('first')
    for (let n = 2; n < 100_000; n += 1) await pass(`requester ${n}`)
    await pass('one more')
    expect(await ask('first')).toMatchObject({ rejection: { code: 'RATE_LIMITED' } })
  })

  test('behavior: for any history, no minute exceeds the limit, and no request below it is refused', async () => {
    const request = fc.record({ wait: fc.nat(30_000), who: fc.constantFrom('one', 'two') })
    const reached = { allowed: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 20, maxLength: 60 }), async (requests) => {
        const { ask, clock } = createQuotas()
        const taken: { who: string; at: number }[] = []
        for (const { wait, who } of requests) {
          clock.advance(wait)
          const admitted = await ask(who)
          reached[admitted.ok ? 'allowed' : 'refused'] += 1
          if (admitted.ok) {
            taken.push({ who, at: clock.monotonic() })
            admitted.slot.release()
          }
          const recent = taken.filter((item) => item.who === who && item.at > clock.monotonic() - 60_000)
          expect(recent.length).toBeLessThanOrEqual(3)
          if (!admitted.ok) expect(recent).toHaveLength(3)
        }
      }),
    )
    expect(reached.allowed).toBeGreaterThan(500)
    expect(reached.refused).toBeGreaterThan(100)
  })

  test('behavior: a restored auction reserves its debt only if verified', async () => {
    const { quotas } = createQuotas({ openRfqs: 100, rfqsPerMinute: 100 })
    const rfqId = toRfqId('ab'.repeat(16))
    const taker: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const poolId: Hex = `0x${'22'.repeat(32)}`
    const verify = async (notional: bigint) => {
      const debt = { taker, poolId, debt: 100n, fixed: 0n, taken: new Map() }
      const counts = [{ key: 't', limits: { rfqsPerMinute: 100, openRfqs: 100 } }]
      const admitted = await quotas.admit(
        { counts, taker: { rfqId: publicRfqId(rfqId), debt, notional, counts } },
        longMs,
      )
      return admitted.ok && admitted.slot.verified
    }
    const release = quotas.restore({ rfqId, poolId, taker, takerVerified: true, notional: 70n })
    quotas.restore({ rfqId, poolId, taker, takerVerified: false, notional: 70n })
    quotas.restore({ rfqId, poolId, takerVerified: true, notional: 70n })
    expect(await verify(31n)).toBe(false)
    release()
    release()
    expect([await verify(101n), await verify(100n)]).toEqual([false, true])
  })
})

describe('admitCheck', () => {
  let clock: ReturnType<typeof createFakeClock>
  let quotas: Quotas
  beforeEach(() => {
    clock = createFakeClock()
    quotas = createInProcessQuotas(clock, limits)
  })

  const admit = (sender: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const check = await quotas.admitCheck(sender)
        if (!check.ok) throw new TypeError(`refused for ${check.retryAfterSeconds} s`)
        return check
      }),
    )

  test('behavior: a refused check costs nothing', async () => {
    await admit('one', 20)
    for (let count = 0; count < 100; count += 1) expect((await quotas.admitCheck('one')).ok).toBe(false)
    clock.advance(3_000)
    await admit('one', 1)
  })

  test('behavior: ten thousand senders are remembered, and the least recent one is evicted first', async () => {
    await admit('first', 20)
    await admit('second', 20)
    for (let sender = 0; sender < 9_998; sender += 1) await quotas.admitCheck(`s${sender}`)
    expect((await quotas.admitCheck('first')).ok).toBe(false)
    await quotas.admitCheck('one more')
    expect((await quotas.admitCheck('first')).ok).toBe(false)
    expect((await quotas.admitCheck('second')).ok).toBe(true)
  })
})
