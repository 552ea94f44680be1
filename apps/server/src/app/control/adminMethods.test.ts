import { randomBytes } from 'node:crypto'
import { InvalidInputError } from '@firmquote/core'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Address, getAddress } from 'viem'
import { applyBlock, filled } from '../../../test/storedBlocks.ts'
import { newQuote, now } from '../../../test/storedQuotes.ts'
import { createInProcessPresence } from '../../adapters/inProcessPresence.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { Store } from '../../ports/store.ts'
import { AdminRefusedError } from './adminError.ts'
import { type AdminMethods, createAdminMethods } from './adminMethods.ts'
import { createControls } from './controls.ts'
import { noLiveLimits } from './liveLimits.ts'

const [maker, other] = [1, 2].map((n) => getAddress(`0xab${String(n).padStart(38, '0')}`)) as [Address, Address]
const who = 'ops'
const why = 'quotes that never fill'
const start = Number(now) * 1_000

let store: Store
let clock: ReturnType<typeof createFakeClock>
let presence: ReturnType<typeof createInProcessPresence>
let suspended: number | null
beforeEach(async () => {
  store = await createSqliteStore({ file: ':memory:' })
  clock = createFakeClock(start)
  presence = createInProcessPresence(3)
  suspended = null
})
afterEach(() => store.close())

async function create(allowList?: ReadonlySet<string>): Promise<AdminMethods> {
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const controls = createControls({ store, clock, random: randomBytes, log })
  await controls.start()
  const suspendedMakers = { secondsLeft: () => suspended }
  return createAdminMethods({
    ...{ store, clock, presence, controls, suspendedMakers, random: randomBytes, liveLimits: noLiveLimits },
    ...(allowList && { allowList }),
  })
}
const audited = async () => (await store.listAudit({ limit: 99, before: null })).reverse()

describe('makers.ban', () => {
  test('default: with an end, and an audit entry', async () => {
    const methods = await create()
    const ban = { since: start, until: start + 86_400_000, why }
    const given = { maker: maker.toLowerCase(), for: '24h', why, who }
    expect(await methods['makers.ban']?.(given)).toEqual({ maker, sockets: 0, ban, isAllowed: true })
    expect(await audited()).toEqual([
      {
        ...{ id: 1, at: start, who, command: 'makers ban', subject: maker, why },
        detail: JSON.stringify({ until: ban.until }),
      },
    ])
    clock.advance(86_399_999)
    expect(await methods['makers.list']?.({})).toMatchObject({ makers: [{ maker, ban }] })
    clock.advance(1)
    expect(await methods['makers.list']?.({})).toEqual({ makers: [] })
  })

  test('behavior: a later ban replaces it, and the entry names both', async () => {
    const methods = await create()
    await methods['makers.ban']?.({ maker, for: '1h', why, who })
    await methods['makers.ban']?.({ maker, why: 'again', who })
    expect(await methods['makers.show']?.({ maker })).toMatchObject({ ban: { until: null, why: 'again' } })
    const replaced = { since: start, until: start + 3_600_000, why }
    expect(JSON.parse((await audited())[1]?.detail ?? '')).toEqual({ until: null, replaced })
  })

  test.each([
    ['no reason', { why: undefined }, 'why'],
    ['an empty reason', { why: '' }, 'why'],
    ['a reason with a line break', { why: 'a\nb' }, 'why'],
    ['a reason with hidden characters', { why: 'a\u{e0041}b' }, 'why'],
    ['a long reason', { why: 'a'.repeat(501) }, 'why'],
    ['nobody', { who: undefined }, 'who'],
    ['a wrong duration', { for: '1 day' }, 'for'],
    ['no address', { maker: '0x12' }, 'maker'],
    ['an unknown parameter', { until: 1 }, 'until'],
  ])('error: %s', async (_, change, path) => {
    const methods = await create()
    const failure = methods['makers.ban']?.({ maker, why, who, ...change })
    await expect(failure).rejects.toThrow(InvalidInputError)
    await expect(failure).rejects.toMatchObject({ path })
    expect(await audited()).toEqual([])
  })
})

test('default: makers.unban ends a ban early; without a ban it is refused and not audited', async () => {
  const methods = await create()
  await methods['makers.ban']?.({ maker, for: '1h', why, who })
  expect(await methods['makers.unban']?.({ maker, who })).toMatchObject({ ban: null })
  await expect(methods['makers.unban']?.({ maker, who })).rejects.toThrow(AdminRefusedError)
  await methods['makers.ban']?.({ maker, for: '1h', why, who })
  clock.advance(3_600_000)
  await expect(methods['makers.unban']?.({ maker, who })).rejects.toThrow(`The maker ${maker} is not banned.`)
  expect((await audited()).map(({ command }) => command)).toEqual(['makers ban', 'makers unban', 'makers ban'])
})

describe('makers.allow', () => {
  test('default: admits a maker that the setting does not list, and disallow takes it back', async () => {
    const methods = await create(new Set([other.toLowerCase()]))
    expect(await methods['makers.show']?.({ maker })).toMatchObject({ isAllowed: false })
    expect(await methods['makers.allow']?.({ maker, who, why })).toMatchObject({ isAllowed: true })
    await expect(methods['makers.allow']?.({ maker, who })).rejects.toThrow('is already allowed')
    expect(await methods['makers.disallow']?.({ maker, who })).toMatchObject({ isAllowed: false })
    await expect(methods['makers.disallow']?.({ maker, who })).rejects.toThrow('was not allowed by a command')
    expect((await audited()).map(({ command, why }) => [command, why])).toEqual([
      ['makers allow', why],
      ['makers disallow', null],
    ])
  })

  test('error: without the setting, or for a maker that it lists', async () => {
    const open = await create()
    await expect(open['makers.allow']?.({ maker, who })).rejects.toThrow('BACKER_ALLOW_LIST is not set')
    const listed = await create(new Set([maker.toLowerCase()]))
    await expect(listed['makers.allow']?.({ maker, who })).rejects.toThrow('already lists the maker')
    await expect(listed['makers.disallow']?.({ maker, who })).rejects.toThrow('remove it there, or ban the maker')
    expect(await audited()).toEqual([])
  })
})

test('default: makers.list has the connected, banned and allowed makers, once each', async () => {
  const methods = await create(new Set())
  await presence.enter(maker)
  await presence.enter(maker)
  await methods['makers.ban']?.({ maker, why, who })
  await methods['makers.allow']?.({ maker: other, who })
  expect(await methods['makers.list']?.(undefined)).toMatchObject({
    makers: [
      { maker, sockets: 2, isAllowed: false, ban: { why } },
      { maker: other, sockets: 0, isAllowed: true, ban: null },
    ],
  })
})

test('default: makers.show has the quotes, fills and suspension', async () => {
  const methods = await create()
  for (const n of [1, 2, 3]) await store.insertQuote(newQuote(n, { maker }))
  await applyBlock(store, 1, filled(2))
  suspended = 5
  const [fill] = [newQuote(2, { maker })]
  expect(await methods['makers.show']?.({ maker })).toEqual({
    ...{ maker, sockets: 0, ban: null, isAllowed: true, publishedQuotes: 2, suspendedSecondsHere: 5 },
    newestFills: [
      {
        ...{ hash: fill.hash, poolId: fill.quote.poolId, seriesKey: fill.quote.seriesKey },
        ...{ notional: fill.quote.notional.toString(), createdAt: fill.createdAt },
      },
    ],
  })
})

describe('audit', () => {
  test('default: newest first, in pages, each marked unverified', async () => {
    const methods = await create()
    for (const n of [1, 2, 3]) await methods['makers.ban']?.({ maker, why: `${n}`, who })
    expect(await methods['audit']?.({})).toMatchObject({ entries: [{ id: 3 }, { id: 2 }, { id: 1 }], nextBefore: null })
    expect(await methods['audit']?.({ limit: 2 })).toMatchObject({ entries: [{ id: 3 }, { id: 2 }], nextBefore: 2 })
    expect(await methods['audit']?.({ before: 2 })).toMatchObject({
      entries: [
        { at: start, who, isVerified: false, command: 'makers ban', subject: maker, why: '1', detail: { until: null } },
      ],
    })
  })

  test.each([{ limit: 0 }, { limit: 1_001 }, { before: 0 }, { before: '1' }])('error: %j', async (given) => {
    await expect((await create())['audit']?.(given)).rejects.toThrow(InvalidInputError)
  })
})
