import { toPublicRfqId } from '@firmquote/core'
import { afterEach, describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { createGate, startInParts, until } from '../testing/daemonInParts.ts'
import { examplePolicy } from '../testing/examplePolicy.ts'
import { exampleNow, exampleRfq } from '../testing/exampleRfq.ts'

// One long file: each test is a life of the daemon, and they read best beside each other.

type Parts = Awaited<ReturnType<typeof startInParts>>
let parts: Parts
const start = async (changes: Parameters<typeof startInParts>[0] = {}) => {
  parts = await startInParts(changes)
  return parts
}
afterEach(() => parts.end())

const turns = async (count = 50) => {
  for (let index = 0; index < count; index++) await new Promise((resolve) => setImmediate(resolve))
}

describe('answering', () => {
  test('default: one quote for an RFQ, and its verdict is kept', async () => {
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

  test('behavior: declines with the code, and keeps the sentence to itself', async () => {
    const { world, ask, logged } = await start()
    const { rfqId } = ask({ maxVrtAmount: 1n })
    await until(() => world.declined.length === 1)
    expect(world.declined).toEqual([{ rfqId, reason: 'VRT_AMOUNT_TOO_LARGE' }])
    expect(logged.find(({ message }) => message === 'declined')?.facts['reason']).toMatch(/the borrower pays 1 at most/)
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

  test('error: an old block, and a chain that cannot be read: nothing is promised', async () => {
    const { world, ask, clock, store, logged } = await start()
    world.isChainDown = true
    ask()
    await until(() => logged.some(({ level }) => level === 'error'))
    world.isChainDown = false
    clock.advance(121_000)
    ask({ expiry: exampleRfq.expiry })
    await until(() => world.declined.length === 1)
    expect(world.declined[0]?.reason).toBe('CHAIN_STALE')
    expect(await store.readUnended()).toEqual([])
  })

  test('behavior: a node or a line that is back in a moment costs no auction, and no second promise', async () => {
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
    expect(await store.readUnended()).toHaveLength(1)
    world.verdict = 'accepted'
    clock.advance(1_000)
    await until(() => world.submitted.length === 1)
    expect(await store.readUnended()).toMatchObject([{ hash: world.submitted[0]?.hash }])
    clock.advance(10_000)
    await turns()
    expect(world.submitted).toHaveLength(1)
  })

  test('behavior: what was on its way when the line broke is sent again over the next one', async () => {
    const { world, ask, reconnect, control } = await start()
    world.verdict = 'lost'
    world.isLineUp = false
    ask()
    await until(() => world.submitted.length === 1)
    await turns()
    world.verdict = 'accepted'
    world.isLineUp = true
    reconnect()
    await until(() => world.submitted.length === 2)
    expect(world.submitted[1]).toEqual(world.submitted[0])
    await turns()
    reconnect()
    await turns()
    expect(world.submitted).toHaveLength(2)
    expect(await control.listQuotes()).toMatchObject([{ verdict: 'accepted' }])
  })

  test("behavior: a clock that differs from the service's costs no auction", async () => {
    const { world, ask, clock, control } = await start()
    ask({ openedAt: clock.now() - 50_000, closesAt: clock.now() - 35_000 })
    await until(() => world.submitted.length === 1)
    expect(await control.listRfqs()).toHaveLength(1)
    clock.advance(15_000)
    expect(await control.listRfqs()).toEqual([])
  })

  test('behavior: of many RFQs at once only as many are quoted as there are funds for', async () => {
    const { world, ask } = await start()
    for (let index = 0; index < 8; index++) ask()
    await until(() => world.submitted.length + world.declined.length === 8)
    expect(world.submitted).toHaveLength(3)
    expect(new Set(world.declined.map(({ reason }) => reason))).toEqual(new Set(['NOT_AFFORDABLE']))
  })

  test('behavior: a quote that the service has refused still counts until its deadline has passed', async () => {
    const { world, ask, clock } = await start()
    world.verdict = 'NONCE_MISMATCH'
    for (let index = 0; index < 3; index++) ask()
    await until(() => world.submitted.length === 3)
    ask()
    await until(() => world.declined.length === 1)
    world.funds = { ...world.funds, timestamp: BigInt(exampleNow + 61) }
    clock.advance(61_000)
    ask()
    await until(() => world.submitted.length === 4)
  })
})

describe('a life after kill -9', () => {
  test('behavior: killed before the verdict, the very same quote is sent again, and nothing more is promised', async () => {
    const { world, ask } = await start()
    world.ackGate = createGate()
    const rfq = ask()
    await until(() => world.submitted.length === 1)
    await parts.restart()
    world.ackGate = null
    parts.ask(rfq)
    await until(() => world.submitted.length === 2)
    expect(world.submitted[1]).toEqual(world.submitted[0])
    expect(await parts.store.readUnended()).toHaveLength(1)
  })

  test('behavior: killed between promise and signature, the promise counts and is the one that is signed', async () => {
    const { world, ask } = await start()
    world.signGate = createGate()
    const rfq = ask()
    const { store } = parts
    let promised = await store.readUnended()
    while (promised.length === 0) promised = await store.readUnended()
    expect(promised[0]?.signature).toBeNull()
    await parts.restart()
    world.signGate = null
    parts.ask(rfq)
    await until(() => world.submitted.length === 1)
    expect(world.submitted[0]?.hash).toBe(promised[0]?.hash)
  })

  test('behavior: what has its verdict is not answered again; what was promised leaves less for others', async () => {
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

  test('behavior: a result that names our quote settles a verdict that was lost', async () => {
    const { world, ask, control } = await start()
    world.verdict = 'lost'
    const { rfqId } = ask()
    await until(() => parts.logged.some(({ level }) => level === 'error'))
    expect((await control.listQuotes())[0]).toMatchObject({ verdict: 'unknown' })
    const { hash } = (await control.listQuotes())[0] ?? { hash: '0x' as const }
    parts.tell({ type: 'auction_result', rfqId, closedAt: 0, quoteCount: 2, own: { hash, rank: 1 } })
    await turns()
    expect((await control.listQuotes())[0]).toMatchObject({ verdict: 'accepted' })
  })

  test('behavior: a paused daemon stays paused, a changed policy stays changed until the file is', async () => {
    await start()
    await parts.control.pause()
    await parts.control.setPolicy({ floorBps: '777' })
    await parts.restart()
    expect(await parts.control.status()).toMatchObject({ paused: true })
    expect(await parts.control.getPolicy()).toMatchObject({ floorBps: '777', tickBps: '5' })
  })
})

describe('the operator', () => {
  test('behavior: a pause takes effect on RFQs under way, before the promise and after it', async () => {
    const { world, ask, control, store } = await start()
    world.readGate = createGate()
    ask()
    await turns()
    await control.pause()
    world.readGate.open()
    await turns()
    expect([world.submitted, await store.readUnended()]).toEqual([[], []])

    world.readGate = null
    world.signGate = createGate()
    await control.resume()
    await until(() => parts.logged.length > 0)
    while ((await store.readUnended()).length === 0) await turns(1)
    await control.pause()
    world.signGate.open()
    await turns()
    expect(world.submitted).toEqual([])
  })

  test('behavior: resume answers what is still open, once', async () => {
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

  test('behavior: setPolicy takes effect at once, wholly or not at all', async () => {
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

  test('behavior: raiseNonce says which quotes it has ended, and the next one has the new nonce', async () => {
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
    const quote = {
      maker,
      taker: zeroAddress,
      poolId: exampleRfq.poolId,
      seriesKey: exampleRfq.seriesKey,
      notional: 2_000_000_000n,
      vrtAmount: 30_000_000n,
      nonce: 0n,
      deadline: BigInt(exampleNow + 600),
      salt: `0x${'01'.repeat(32)}`,
    } as const
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
    world.isLineUp = false
    await control.resume()
    await expect(control.submitQuote(rfqId, signed)).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
  })

  test('behavior: draining lets answers under way finish, takes no new ones, and leaves', async () => {
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

describe("a maker's own pricer", () => {
  test('behavior: it prices in place of the policy, and may offer less', async () => {
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

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new TypeError('secret thoughts')
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
    expect(await store.readUnended()).toEqual([])
  })

  test('error: one that never answers, and one that changes what it is given', async () => {
    const { world, ask, clock } = await start({ pricer: () => new Promise(() => {}) })
    ask()
    await turns()
    clock.advance(5_000)
    await until(() => world.declined.length === 1)
    await parts.end()

    const seen: unknown[] = []
    const vandal = await start({
      pricer: (input) => {
        seen.push(input.policy.lifetimeSeconds)
        input.policy.lifetimeSeconds = 1
        return { kind: 'decline', code: 'BAD_MOOD', reason: '' }
      },
    })
    vandal.ask()
    vandal.ask()
    await until(() => vandal.world.declined.length === 2)
    expect(seen).toEqual([examplePolicy.lifetimeSeconds, examplePolicy.lifetimeSeconds])
  })
})
