// This file exceeds 400 lines because its tests cover one state machine and share its harness.

import { type AuctionResultMessage, toPublicRfqId } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, zeroAddress } from 'viem'
import { createGate, startDaemonHarness, until } from '../../test/daemonHarness.ts'
import { bytesOf, exampleFill, filledStatus, otherStatus } from '../../test/exampleFill.ts'
import { exampleOutstanding } from '../../test/exampleOutstanding.ts'
import { examplePolicy } from '../../test/examplePolicy.ts'
import { exampleNow, exampleRfq } from '../../test/exampleRfq.ts'
import type { FillNotice } from '../domain/fill.ts'
import type { Pricer } from '../domain/priceRfq.ts'

type Parts = Awaited<ReturnType<typeof startDaemonHarness>>
let parts: Parts
const start = async (changes: Parameters<typeof startDaemonHarness>[0] = {}) => {
  parts = await startDaemonHarness(changes)
  return parts
}
afterEach(() => parts.end())

const turns = async (count = 50) => {
  for (let index = 0; index < count; index++) await new Promise((resolve) => setImmediate(resolve))
}

describe('answering', () => {
  test('default: one quote for an RFQ, and its verdict is stored', async () => {
    const { world, control, ask } = await start()
    const rfq = ask()
    await until(() => world.submitted.length === 1)
    await until(() => parts.logged.some(({ message }) => message === 'quoted'))
    const [quote] = await control.listQuotes()
    expect(quote).toMatchObject({ rfqId: rfq.rfqId, verdict: 'accepted', signedAt: exampleNow * 1_000 })
    expect(quote?.quote).toMatchObject({ notional: rfq.notional, taker: zeroAddress, nonce: 0n })
    expect(await control.listRfqs()).toEqual([rfq])
    expect(await control.status()).toMatchObject({ version: '1.2.3', paused: false, openRfqs: 1 })
  })

  test('behavior: unverified RFQs use only their share, also after a restart', async () => {
    const shares = { unverified: 50, taker: 50 }
    const { world, ask } = await start({ policy: { ...examplePolicy, shares } })
    world.funds = { ...world.funds, balance: 2_000_000_000n }
    const taker = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    ask({ taker })
    await until(() => world.submitted.length === 1)
    ask({ taker })
    // An RFQ that is marked as verified but names no taker is treated as unverified.
    ask({ takerVerified: true })
    await until(() => world.declined.length === 2)
    expect(world.declined.map(({ reason }) => reason)).toEqual(['NOT_AFFORDABLE', 'NOT_AFFORDABLE'])
    await parts.restart()
    ask()
    await until(() => world.declined.length === 3)
    ask({ taker, takerVerified: true })
    await until(() => world.submitted.length === 2)
    ask({ taker, takerVerified: true })
    await until(() => world.declined.length === 4)
    expect((await parts.store.listUnended()).map(({ asker }) => asker).sort()).toEqual(['unverified', 'verified'])
  })

  test('behavior: declines with the code alone; the reason is logged', async () => {
    const { world, ask, logged } = await start()
    const { rfqId } = ask({ maxVrtAmount: 1n })
    await until(() => world.declined.length === 1)
    expect(world.declined).toEqual([{ rfqId, reason: 'VRT_AMOUNT_TOO_LARGE' }])
    expect(logged.find(({ message }) => message === 'declined')?.facts['reason']).toMatch(
      /above the borrower's maximum of 1/,
    )
  })

  test.each([
    ['another expiry than the chain has', 'EXPIRY_MISMATCH', { expiry: exampleRfq.expiry - 86_400 }, {}],
    ['a pool that is not there', 'POOL_NOT_FOUND', { poolId: `0x${'55'.repeat(32)}` as const }, {}],
    ['more than the series takes', 'CAPACITY_EXCEEDED', {}, { capacity: 999_999_999n }],
  ])('error: %s', async (_what, code, rfq, changes) => {
    const { world, ask } = await start()
    Object.assign(world, changes)
    ask(rfq)
    await until(() => world.declined.length === 1)
    expect(world.declined[0]?.reason).toBe(code)
  })

  test('error: an old block, and a chain that cannot be read: nothing is reserved', async () => {
    const { world, ask, clock, store, logged } = await start()
    world.isChainDown = true
    ask()
    await until(() => logged.some(({ level }) => level === 'error'))
    world.isChainDown = false
    clock.advance(121_000)
    ask({ expiry: exampleRfq.expiry })
    await until(() => world.declined.length === 1)
    expect(world.declined[0]?.reason).toBe('CHAIN_STALE')
    expect(await store.listUnended()).toEqual([])
  })

  test('error: a dishonest node that is ahead of the clock: no lower price, and outstanding quotes still count', async () => {
    const { world, ask, store } = await start()
    ask()
    await until(() => world.submitted.length === 1)
    // 120 seconds are allowed.
    world.funds = { ...world.funds, timestamp: BigInt(exampleNow + 121 + 86_400) }
    ask({ rfqId: toPublicRfqId('ab'.repeat(16)) })
    await until(() => world.declined.length === 1)
    expect(world.declined[0]?.reason).toBe('CHAIN_AHEAD')
    expect(await store.listUnended()).toHaveLength(1)
  })

  test('behavior: a short outage of the node or the connection loses no auction and reserves no funds twice', async () => {
    const { world, ask, clock, logged, store } = await start()
    const failed = () => logged.filter(({ level }) => level === 'error').length
    world.isChainDown = true
    ask()
    await until(() => failed() === 1)
    world.isChainDown = false
    world.verdict = 'not sent'
    clock.advance(1_000)
    await until(() => failed() === 2)
    await turns()
    expect(await store.listUnended()).toHaveLength(1)
    world.verdict = 'accepted'
    clock.advance(1_000)
    await until(() => world.submitted.length === 1)
    expect(await store.listUnended()).toMatchObject([{ hash: world.submitted[0]?.hash }])
    clock.advance(10_000)
    await turns()
    expect(world.submitted).toHaveLength(1)
  })

  test('behavior: resends a quote after a reconnect', async () => {
    const { world, ask, reconnect, control } = await start()
    world.verdict = 'lost'
    world.isConnected = false
    ask()
    await until(() => world.submitted.length === 1)
    await turns()
    world.verdict = 'accepted'
    world.isConnected = true
    reconnect()
    await until(() => world.submitted.length === 2)
    expect(world.submitted[1]).toEqual(world.submitted[0])
    await turns()
    reconnect()
    await turns()
    expect(world.submitted).toHaveLength(2)
    expect(await control.listQuotes()).toMatchObject([{ verdict: 'accepted' }])
  })

  test('behavior: an unknown outcome: resends the same quote and no other, and it counts', async () => {
    const { world, ask, clock, control, logged, store } = await start()
    const unknown = () => logged.filter(({ facts }) => facts['code'] === 'OUTCOME_UNKNOWN').length
    world.verdict = 'OUTCOME_UNKNOWN'
    const rfq = ask()
    await until(() => unknown() === 1)
    expect(await control.listQuotes()).toMatchObject([{ verdict: 'unknown' }])
    // A policy change must not alter a quote that was already sent.
    await control.setPolicy({ floorBps: '777' })
    clock.advance(1_000)
    await until(() => unknown() === 2)
    const [first, second] = world.submitted
    expect(second).toEqual(first)
    expect(await store.listUnended()).toHaveLength(1)
    // The quote sent twice reserves 1,000 of the 3,000 tokens only once.
    world.verdict = 'accepted'
    for (let index = 0; index < 3; index++) ask()
    await until(() => world.declined.length === 1)
    expect(world.declined[0]?.reason).toBe('NOT_AFFORDABLE')
    expect(world.submitted).toHaveLength(4)

    clock.advance(1_000)
    await until(() => world.submitted.length === 5)
    expect(world.submitted[4]).toEqual(first)
    await turns()
    expect((await control.listQuotes()).find(({ rfqId }) => rfqId === rfq.rfqId)).toMatchObject({ verdict: 'accepted' })
    clock.advance(5_000)
    await turns()
    expect(world.submitted).toHaveLength(5)
  })

  test('behavior: resends a quote that the service failed to judge, at most three times', async () => {
    const { world, ask, clock, control, logged } = await start()
    const again = () => logged.filter(({ message }) => /failed to judge a quote/.test(message)).length
    world.verdict = 'CHAIN_UNAVAILABLE'
    ask()
    await until(() => again() === 1)
    expect(await control.listQuotes()).toMatchObject([{ verdict: 'unknown' }])
    world.verdict = 'accepted'
    clock.advance(1_000)
    await until(() => world.submitted.length === 2)
    expect(world.submitted[1]).toEqual(world.submitted[0])
    await turns()
    expect(await control.listQuotes()).toMatchObject([{ verdict: 'accepted' }])

    world.verdict = 'OVERLOADED'
    ask()
    for (let sent = 3; sent <= 6; sent++) {
      await until(() => world.submitted.length === sent)
      await turns()
      clock.advance(1_000)
    }
    await turns()
    expect(world.submitted).toHaveLength(6)
    expect(again()).toBe(1 + 3)
    expect(await control.listQuotes()).toContainEqual(
      expect.objectContaining({ verdict: 'rejected', code: 'OVERLOADED' }),
    )
  })

  test('behavior: killed while an outcome is unknown, the same quote is sent again', async () => {
    const { world, ask, logged } = await start()
    world.verdict = 'OUTCOME_UNKNOWN'
    const rfq = ask()
    await until(() => logged.some(({ facts }) => facts['code'] === 'OUTCOME_UNKNOWN'))
    await parts.restart()
    world.verdict = 'accepted'
    parts.ask(rfq)
    await until(() => world.submitted.length === 2)
    expect(world.submitted[1]).toEqual(world.submitted[0])
    expect(await parts.store.listUnended()).toHaveLength(1)
  })

  test('behavior: clock skew to the service loses no auction', async () => {
    const { world, ask, clock, control } = await start()
    ask({ openedAt: clock.now() - 50_000, closesAt: clock.now() - 35_000 })
    await until(() => world.submitted.length === 1)
    expect(await control.listRfqs()).toHaveLength(1)
    clock.advance(15_000)
    expect(await control.listRfqs()).toEqual([])
  })

  test('behavior: a rejected quote counts until its deadline', async () => {
    const { world, ask, clock } = await start()
    world.verdict = 'NONCE_MISMATCH'
    for (let index = 0; index < 3; index++) ask()
    await until(() => world.submitted.length === 3)
    ask()
    await until(() => world.declined.length === 1)
    world.funds = { ...world.funds, timestamp: BigInt(exampleNow + 76) }
    clock.advance(76_000)
    ask()
    await until(() => world.submitted.length === 4)
  })
})

describe('a restart after kill -9', () => {
  test('behavior: killed before the verdict, the same quote is sent again, and nothing more is reserved', async () => {
    const { world, ask } = await start()
    world.ackGate = createGate()
    const rfq = ask()
    await until(() => world.submitted.length === 1)
    await parts.restart()
    world.ackGate = null
    parts.ask(rfq)
    await until(() => world.submitted.length === 2)
    expect(world.submitted[1]).toEqual(world.submitted[0])
    expect(await parts.store.listUnended()).toHaveLength(1)
  })

  test('behavior: killed between reservation and signature, the quote counts and is the one that is signed', async () => {
    const { world, ask } = await start()
    world.signGate = createGate()
    const rfq = ask()
    const { store } = parts
    let reserved = await store.listUnended()
    while (reserved.length === 0) reserved = await store.listUnended()
    expect(reserved[0]?.signature).toBeNull()
    await parts.restart()
    world.signGate = null
    parts.ask(rfq)
    await until(() => world.submitted.length === 1)
    expect(world.submitted[0]?.hash).toBe(reserved[0]?.hash)
  })

  test('behavior: does not answer an RFQ with a verdict again; outstanding quotes reduce the available funds', async () => {
    const { world, ask, logged } = await start()
    const rfqs = [ask(), ask(), ask()]
    await until(() => logged.filter(({ message }) => message === 'quoted').length === 3)
    await parts.restart()
    for (const rfq of rfqs) parts.ask(rfq)
    parts.ask()
    await until(() => world.declined.length === 1)
    expect(world.declined[0]?.reason).toBe('NOT_AFFORDABLE')
    expect(world.submitted).toHaveLength(3)
  })

  test('behavior: an auction result with our quote replaces a lost verdict', async () => {
    const { world, ask, control } = await start()
    world.verdict = 'lost'
    const { rfqId } = ask()
    await until(() => parts.logged.some(({ level }) => level === 'error'))
    expect((await control.listQuotes())[0]).toMatchObject({ verdict: 'unknown' })
    const { hash } = (await control.listQuotes())[0] ?? { hash: '0x' as const }
    parts.deliverResult({ type: 'auction_result', rfqId, closedAt: 0, quoteCount: 2, own: { hash }, outcome: 'best' })
    await turns()
    expect((await control.listQuotes())[0]).toMatchObject({ verdict: 'accepted' })
  })

  test.each<[string, Partial<AuctionResultMessage>, string]>([
    ['the outcome is best', { outcome: 'best' }, 'ranked first'],
    ['the outcome is close', { outcome: 'close' }, 'auction closed'],
    ['of a service before the outcome, rank 1', { own: { hash: bytesOf(1), rank: 1 } }, 'ranked first'],
    ['of a service before the outcome, rank 2', { own: { hash: bytesOf(1), rank: 2 } }, 'auction closed'],
  ])('behavior: the log says how an auction has ended: %s', async (_what, changes, message) => {
    const { logged } = await start()
    const { rfqId } = exampleRfq
    const own = { hash: bytesOf(1) }
    parts.deliverResult({ type: 'auction_result', rfqId, closedAt: 0, quoteCount: 2, own, ...changes })
    await turns()
    expect(logged.map((line) => line.message)).toEqual([message])
  })

  test('behavior: a pause and a changed policy survive a restart, the policy until the file changes', async () => {
    await start()
    await parts.control.pause()
    await parts.control.setPolicy({ floorBps: '777' })
    await parts.restart()
    expect(await parts.control.status()).toMatchObject({ paused: true })
    expect(await parts.control.getPolicy()).toMatchObject({ floorBps: '777', tickBps: '5' })
  })
})

describe('the operator', () => {
  const quoteOf = (maker: Address, notional: bigint) =>
    exampleOutstanding({ maker, notional, vrtAmount: 30_000_000n, deadline: BigInt(exampleNow + 600) }).quote

  test('behavior: a pause stops pending RFQs before and after the reservation', async () => {
    const { world, ask, control, store } = await start()
    world.readGate = createGate()
    ask()
    await turns()
    await control.pause()
    world.readGate.open()
    await turns()
    expect([world.submitted, await store.listUnended()]).toEqual([[], []])

    world.readGate = null
    world.signGate = createGate()
    await control.resume()
    await until(() => parts.logged.length > 0)
    while ((await store.listUnended()).length === 0) await turns(1)
    await control.pause()
    world.signGate.open()
    await turns()
    expect(world.submitted).toEqual([])
  })

  test('behavior: resume answers open RFQs once', async () => {
    const { world, ask, control, clock } = await start()
    await control.pause()
    ask()
    clock.advance(10_000)
    const late = ask()
    clock.advance(6_000)
    await control.resume()
    await control.resume()
    await until(() => world.submitted.length === 1)
    await turns()
    expect(world.submitted.map(({ rfqId }) => rfqId)).toEqual([late.rfqId])
  })

  test('behavior: setPolicy takes effect immediately and atomically', async () => {
    const { control } = await start()
    expect(await control.setPolicy({ maxNotional: '500' })).toMatchObject({ maxNotional: '500' })
    await expect(control.setPolicy({ minNotional: '600', speed: 1, tickBps: '9' })).rejects.toMatchObject({
      code: 'INVALID_POLICY',
      issues: expect.arrayContaining([expect.objectContaining({ path: 'maxNotional' })]),
    })
    expect(await control.getPolicy()).toMatchObject({ maxNotional: '500', tickBps: '5' })
    parts.ask()
    await until(() => parts.world.declined.length === 1)
    expect(parts.world.declined[0]?.reason).toBe('NOTIONAL_TOO_LARGE')
  })

  test('behavior: raiseNonce returns the quotes it ended, and the next quote has the new nonce', async () => {
    const { world, ask, control } = await start()
    ask()
    ask()
    await until(() => world.submitted.length === 2)
    const [first, second] = world.submitted
    if (first) world.funds = { ...world.funds, ended: new Set([first.hash]) }
    expect(await control.raiseNonce()).toEqual({ transactionHash: `0x${'99'.repeat(32)}`, endedQuotes: [second?.hash] })
    ask()
    await until(() => world.submitted.length === 3)
    expect((await control.listQuotes()).map(({ quote }) => quote.nonce).sort()).toEqual([0n, 0n, 1n])
  })

  test('behavior: signQuote and submitQuote have the limits of every other quote', async () => {
    const { world, control, maker, ask } = await start()
    const quote = quoteOf(maker, 2_000_000_000n)
    const refused = (changes: Partial<Record<keyof typeof quote, unknown>>) =>
      control.signQuote({ ...quote, ...changes } as typeof quote).then(
        () => null,
        (error: { code: string; facts?: { reason?: unknown } }) => [error.code, error.facts?.reason],
      )
    expect(await refused({ maker: zeroAddress })).toEqual(['POLICY_REFUSED', 'MAKER_MISMATCH'])
    expect(await refused({ vrtAmount: 1n })).toEqual(['POLICY_REFUSED', 'PRICE_TOO_LOW'])
    expect(await refused({ notional: 1n })).toEqual(['POLICY_REFUSED', 'NOTIONAL_TOO_SMALL'])
    expect(await refused({ nonce: 1n })).toEqual(['POLICY_REFUSED', 'NONCE_MISMATCH'])
    expect(await refused({ deadline: BigInt(exampleNow) })).toEqual(['POLICY_REFUSED', 'DEADLINE_OUT_OF_RANGE'])
    expect(await refused({ deadline: BigInt(exampleNow + 86_401) })).toEqual([
      'POLICY_REFUSED',
      'DEADLINE_OUT_OF_RANGE',
    ])
    expect(await refused({ notional: 3_000_000_001n, vrtAmount: 10n ** 12n })).toEqual([
      'OVERCOMMITTED',
      'NOT_AFFORDABLE',
    ])

    const signed = await control.signQuote(quote)
    expect(await control.signQuote(quote)).toEqual(signed)
    expect(await refused({ salt: `0x${'02'.repeat(32)}` })).toEqual(['OVERCOMMITTED', 'NOT_AFFORDABLE'])
    await expect(control.submitQuote(toPublicRfqId('0'.repeat(32)), signed)).rejects.toMatchObject({
      code: 'RFQ_NOT_OPEN',
    })

    await control.setPolicy({ minNotional: '1000000' })
    const { rfqId } = ask({ notional: 2_000_000_000n })
    await until(() => world.declined.length === 1)
    expect(await control.submitQuote(rfqId, signed)).toMatchObject({ status: 'accepted' })
    expect(world.submitted).toHaveLength(1)
    await control.pause()
    expect(await refused({})).toEqual(['PAUSED', undefined])
    world.isConnected = false
    await control.resume()
    await expect(control.submitQuote(rfqId, signed)).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
  })

  test('behavior: while an outcome is unknown submitQuote sends the same quote, and no other', async () => {
    const { world, control, maker, ask, logged } = await start()
    const quote = quoteOf(maker, 1_000_000_000n)
    const signed = await control.signQuote(quote)
    world.verdict = 'OUTCOME_UNKNOWN'
    const { rfqId } = ask()
    await until(() => logged.some(({ facts }) => facts['code'] === 'OUTCOME_UNKNOWN'))
    const { hash } = world.submitted[0] ?? {}
    await expect(control.submitQuote(rfqId, signed)).rejects.toMatchObject({ code: 'VERDICT_UNKNOWN', facts: { hash } })
    const own = (await control.listQuotes()).find((record) => record.rfqId === rfqId)?.quote
    if (!own) throw new TypeError('the daemon has not quoted')
    await expect(control.submitQuote(rfqId, own)).rejects.toMatchObject({ code: 'VERDICT_UNKNOWN' })
    world.verdict = 'accepted'
    expect(await control.submitQuote(rfqId, own)).toMatchObject({ status: 'accepted' })
    expect(new Set(world.submitted.map(({ hash }) => hash)).size).toBe(1)
    expect(world.submitted).toHaveLength(3)
  })

  test('behavior: drain times out without a verdict and leaves the quote for the next start', async () => {
    const { world, ask, daemon, clock, store } = await start()
    world.ackGate = createGate()
    ask()
    await until(() => world.submitted.length === 1)
    const drained = daemon.drain()
    clock.advance(4_999)
    await turns()
    expect(world.disconnected).toBe(false)
    clock.advance(1)
    await drained
    expect(world.disconnected).toBe(true)
    expect(await store.listUnended()).toMatchObject([{ verdict: 'unknown', hash: world.submitted[0]?.hash }])
  })

  test('behavior: drain completes pending answers, accepts no new ones, and disconnects', async () => {
    const { world, ask, daemon, control } = await start()
    world.readGate = createGate()
    ask()
    await turns()
    const drained = daemon.drain()
    ask()
    await turns()
    expect(world.disconnected).toBe(false)
    world.readGate.open()
    await drained
    expect([world.submitted.length, world.disconnected]).toEqual([1, true])
    await control.shutdown()
    expect(world.shutdowns).toBe(0)
  })
})

describe('a dry run', () => {
  test('default: prices with unlimited funds and logs the quote, without signing, storing or sending', async () => {
    const { world, ask, control, logged, store, daemon } = await start({ dryRun: true })
    world.funds = { ...world.funds, balance: 0n, allowance: 0n }
    const { rfqId, notional } = ask()
    await until(() => logged.some(({ message }) => message === 'would quote'))
    expect(logged.find(({ message }) => message === 'would quote')?.facts).toEqual({
      rfqId,
      notional: String(notional),
      vrtAmount: expect.stringMatching(/^[1-9][0-9]*$/),
      deadline: expect.stringMatching(/^[0-9]+$/),
    })
    ask({ maxVrtAmount: 1n })
    await until(() => logged.some(({ message }) => message === 'declined'))
    parts.reconnect()
    await turns()
    expect(logged.filter(({ message }) => message === 'would quote')).toHaveLength(1)
    expect([world.submitted, world.declined, world.reserved]).toEqual([[], [], 0])
    expect(await store.listUnended()).toEqual([])
    expect(await control.status()).toMatchObject({ dryRun: true })
    expect(logged.some(({ message }) => /dry run/.test(message))).toBe(true)
    await daemon.drain()
  })

  test('behavior: ignores fills', async () => {
    const { store } = await start({ dryRun: true })
    parts.deliverStatus(filledStatus(1, exampleFill()))
    await turns()
    expect(await store.findStatusSeq('http://localhost:3005')).toBe(0)
  })

  test('error: refuses to sign, submit or send for the operator', async () => {
    const { control, ask, maker } = await start({ dryRun: true })
    const { rfqId } = ask()
    const { quote } = exampleOutstanding({ maker })
    const refused = { code: 'DRY_RUN' }
    await expect(control.signQuote(quote)).rejects.toMatchObject(refused)
    await expect(control.submitQuote(rfqId, { ...quote, signature: '0x12' })).rejects.toMatchObject(refused)
    await expect(control.raiseNonce()).rejects.toMatchObject(refused)
  })
})

describe('fills', () => {
  const calls: FillNotice[] = []
  const hook = {
    when: 'filled' as const,
    timeoutMs: 1_000,
    async call(notice: FillNotice) {
      calls.push(notice)
    },
  }
  beforeEach(() => {
    calls.splice(0)
  })

  test('default: notifies the hook, also after a restart, which requests later updates', async () => {
    const { world, control } = await start({ hook })
    expect(world.resumedFrom).toBe(0)
    expect(await control.status()).toMatchObject({ dryRun: false, hook: { unanswered: 0, lastError: null } })
    const [one, other] = [exampleFill(), exampleFill({ hash: bytesOf(2) })]
    world.fills.set(one.hash, one)
    parts.deliverStatus(filledStatus(41, one))
    await until(() => calls.length === 1)
    parts.deliverStatus(filledStatus(42, other))
    await until(() => parts.logged.some(({ message }) => message === 'failed to deliver a fill to the hook'))
    expect(await control.status()).toMatchObject({ hook: { unanswered: 1, lastError: expect.stringMatching(/node/) } })
    world.fills.set(other.hash, other)
    await parts.restart()
    await until(() => calls.length === 2)
    expect(calls.map(({ id }) => id)).toEqual([one.hash, other.hash])
    expect(world.resumedFrom).toBe(42)
  })

  test('behavior: without a hook the status says so', async () => {
    const { control } = await start()
    expect(await control.status()).toMatchObject({ hook: null })
  })

  test('behavior: only the chain changes funds: a fill counts while its block has it', async () => {
    const { world, ask } = await start()
    world.funds = { ...world.funds, balance: 1_500_000_000n }
    ask()
    await until(() => world.submitted.length === 1)
    const hash = world.submitted[0]?.hash ?? '0x'
    const nothingLeft = async (count: number) => {
      ask()
      await until(() => world.declined.length === count)
      expect(world.declined.at(-1)?.reason).toBe('NOT_AFFORDABLE')
    }
    // The service has reported the fill, but the node still shows the tokens in the account. These tokens must not be
    // treated as available.
    parts.deliverStatus(filledStatus(1, exampleFill({ hash })))
    await until(() => parts.logged.some(({ message }) => message === 'filled'))
    await nothingLeft(1)
    // In the fill's block, the tokens leave the account and the reservation ends. Then the maker receives new tokens.
    const before = world.funds
    world.funds = { ...before, balance: 500_000_000n, ended: new Set([hash]) }
    await nothingLeft(2)
    world.funds = { ...world.funds, balance: 1_000_000_000n }
    ask()
    await until(() => world.submitted.length === 2)
    // A reorganisation removes the fill, and the service has not reported it yet. Both quotes are reserved against the
    // restored balance.
    world.funds = { ...before, balance: 2_500_000_000n }
    await nothingLeft(3)
    parts.deliverStatus(otherStatus(2, hash))
    await nothingLeft(4)
    world.funds = { ...before, balance: 3_000_000_000n }
    ask()
    await until(() => world.submitted.length === 3)
  })
})

describe("a maker's own pricer", () => {
  test('behavior: prices instead of the policy, and may offer less', async () => {
    const pricer = async () => ({
      kind: 'quote' as const,
      notional: 5n,
      vrtAmount: 1n,
      nonce: 0n,
      deadline: BigInt(exampleNow + 30),
    })
    const { world, ask } = await start({ pricer })
    ask()
    await until(() => world.submitted.length === 1)
    expect(world.submitted[0]?.notional).toBe(5n)
  })

  test('behavior: it gets the record of a taker that shares it', async () => {
    const takerRecord = { unfixedDebt: 500n, asked: 6, taken: 2 }
    const given: unknown[] = []
    const pricer: Pricer = (input) => {
      given.push(input.rfq.takerRecord)
      return { kind: 'decline', code: 'SEEN', reason: 'It was seen.' }
    }
    const { world, ask } = await start({ pricer })
    ask({ takerVerified: true, takerRecord })
    await until(() => world.declined.length === 1)
    expect(given).toEqual([takerRecord])
  })

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new TypeError('a secret')
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('no'))],
    ['gives nothing', () => undefined],
    [
      'asks for more than there is',
      () => ({ kind: 'quote', notional: 10n ** 12n, vrtAmount: 1n, nonce: 0n, deadline: BigInt(exampleNow + 9) }),
    ],
  ])('error: one that %s is a decline', async (_what, pricer) => {
    const { world, ask, store } = await start({ pricer: pricer as never })
    ask()
    await until(() => world.declined.length === 1)
    expect(world.declined[0]?.reason).toBe('PRICER_FAILED')
    expect(await store.listUnended()).toEqual([])
  })

  test('error: a pricer that never answers, and one that mutates its input', async () => {
    const { world, ask, clock } = await start({ pricer: () => new Promise(() => {}) })
    ask()
    await turns()
    clock.advance(5_000)
    await until(() => world.declined.length === 1)
    await parts.end()

    const seen: unknown[] = []
    const mutating = await start({
      pricer: (input) => {
        seen.push(input.policy.lifetimeSeconds)
        input.policy.lifetimeSeconds = 1
        return { kind: 'decline', code: 'CLOSED', reason: '' }
      },
    })
    mutating.ask()
    mutating.ask()
    await until(() => mutating.world.declined.length === 2)
    expect(seen).toEqual([examplePolicy.lifetimeSeconds, examplePolicy.lifetimeSeconds])
  })
})
