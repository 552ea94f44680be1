import { hashQuote, type SignedQuote } from '@firmquote/core'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { devnet, useTestDevnet } from '../../../../../packages/devnet/test/testDevnet.ts'
import { type RealService, signedQuote, startRealService } from '../../../test/realService.ts'
import { domainOf } from '../../../test/signedQuotes.ts'
import { encodeControl } from '../../domain/controls/controls.ts'
import { type HaltTarget, haltSubject } from '../../domain/controls/halts.ts'

let service: RealService

useTestDevnet()
beforeEach(async () => {
  service = await startRealService(devnet)
})
afterEach(() => service.close())

const message = 'The price feed is being replaced.'
const since = 1_767_225_600_000
const entry = { who: 'ops', command: 'pools halt', subject: null, why: 'oracle', detail: '{}' }
const halt = (target: HaltTarget) =>
  service.controls.change(() => ({
    put: [encodeControl({ kind: 'halt', since, message, why: 'oracle', ...target })],
    entry,
  }))
const resume = (target: HaltTarget) =>
  service.controls.change(() => ({ remove: [{ kind: 'halt', subject: haltSubject(target) }], entry }))

const hashOf = (quote: SignedQuote) => hashQuote(quote, domainOf(devnet))
/** Publishes a quote for the series' default size. */
async function publish(seriesKey?: Hex) {
  const terms = { notional: 100_000_000_000n, vrtAmount: 1_000_000n, ...(seriesKey !== undefined && { seriesKey }) }
  const quote = await signedQuote(devnet, devnet.backers[0], terms)
  const outcome = await service.book.submit(quote)
  return { quote, hash: hashOf(quote), outcome }
}
const sorts = ['rate', 'created', 'deadline'] as const
const lists = async (filters: { poolId?: Hex; seriesKey?: Hex } = {}) => {
  const pages = await Promise.all(sorts.map((sort) => service.book.list({ sort, ...filters })))
  return pages.map(({ quotes, nextCursor }) => ({ hashes: quotes.map(({ hash }) => hash), nextCursor }))
}
const all = (...hashes: Hex[]) => sorts.map(() => ({ hashes: expect.arrayContaining(hashes), nextCursor: null }))
const none = sorts.map(() => ({ hashes: [], nextCursor: null }))

describe('published quotes of a halted market', () => {
  test.each(['pool', 'series'] as const)('behavior: a halted %s hides them and refuses others', async (scope) => {
    const { quote, hash } = await publish()
    const { poolId, seriesKey } = quote
    const target: HaltTarget = scope === 'pool' ? { scope, poolId } : { scope, seriesKey }
    expect(await lists()).toEqual(all(hash))
    const before = (await service.markets.pools()).find((pool) => pool.poolId === poolId)
    expect(before?.series.some(({ depth }) => depth.quotes === 1)).toBe(true)

    await halt(target)
    for (const filters of [{}, { poolId }, { seriesKey }]) expect(await lists(filters)).toEqual(none)
    expect((await publish()).outcome).toEqual({
      ok: false,
      rejection: { code: 'MARKET_HALTED', scope, since, message },
    })
    // Its maker and a borrower who knows its hash can still read it.
    expect(await service.book.find(hash)).toMatchObject({ hash, status: 'active' })
    expect(await service.book.submit(quote)).toMatchObject({ ok: true, value: { created: false } })
    const halted = { scope, since, message }
    const pool = (await service.markets.pools()).find((one) => one.poolId === poolId)
    const series = pool?.series.find((one) => one.seriesKey === seriesKey)
    for (const other of pool?.series.filter((one) => one.seriesKey !== seriesKey) ?? []) {
      expect(other.halted).toEqual(scope === 'pool' ? halted : undefined)
    }
    expect(series).toMatchObject({ halted, depth: { quotes: 0, notional: 0n } })
    for (const rate of ['bestApr', 'bestEffectiveApy']) expect(series).not.toHaveProperty(rate)
    expect(await service.health()).toMatchObject({ status: 'ok', halts: [{ ...halted, ...target }] })

    await resume(target)
    expect(await lists()).toEqual(all(hash))
    expect((await service.markets.pools()).find((one) => one.poolId === poolId)).toEqual(before)
    expect(await service.health()).not.toHaveProperty('halts')
  })

  test('behavior: the other series of the pool stay listed', async () => {
    const [first, second] = devnet.pools[0].series
    const kept = await publish(first?.seriesKey)
    const hidden = await publish(second?.seriesKey)
    await halt({ scope: 'series', seriesKey: hidden.quote.seriesKey })
    expect(await lists()).toEqual(sorts.map(() => ({ hashes: [kept.hash], nextCursor: null })))
    expect((await publish(first?.seriesKey)).outcome.ok).toBe(true)
  })

  test('error: a market that is halted while a quote is judged', async () => {
    const { quote } = await publish()
    const { poolId } = quote
    service.node.interfere = () => {
      void halt({ scope: 'pool', poolId })
      service.node.interfere = () => undefined
      return undefined
    }
    expect((await publish()).outcome).toMatchObject({ ok: false, rejection: { code: 'MARKET_HALTED' } })
  })
})

describe('a halt of all RFQs', () => {
  const request = () => ({
    poolId: devnet.pools[0].poolId,
    seriesKey: devnet.pools[0].series[1]?.seriesKey as Hex,
    notional: 1_000_000_000n,
  })

  test('behavior: refuses RFQs and leaves published quotes alone', async () => {
    const { hash } = await publish()
    await halt({ scope: 'rfqs' })
    const halted = { scope: 'rfqs', since, message } as const
    expect(await service.hub.open(request(), { address: 'one' })).toEqual({
      ok: false,
      rejection: { code: 'MARKET_HALTED', ...halted },
    })
    expect(await lists()).toEqual(all(hash))
    expect((await publish()).outcome.ok).toBe(true)
    const [pool] = await service.markets.pools({ poolId: request().poolId })
    expect(pool?.series.map((series) => series.halted)).toEqual(pool?.series.map(() => halted))
    expect(pool?.series.some(({ depth }) => depth.quotes > 0)).toBe(true)

    await resume({ scope: 'rfqs' })
    expect(await service.hub.open(request(), { address: 'one' })).toMatchObject({ ok: true })
  })
})
