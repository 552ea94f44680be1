import { randomBytes } from 'node:crypto'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { applyBlock, poolCreated, seriesCreated } from '../../../test/storedBlocks.ts'
import { openedAt, poolId, seriesKey } from '../../../test/storedQuotes.ts'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { Store } from '../../ports/store.ts'
import { createHaltMethods } from './adminHalts.ts'
import { type ControlPlane, createControls } from './controls.ts'

const unknown = `0x${'99'.repeat(32)}`
const message = 'The price feed is being replaced.'
const why = 'oracle stuck'
const pool = { poolId, who: 'ana' }
const series = { seriesKey, who: 'ana' }

let store: Store
let controls: ControlPlane
let clock: ReturnType<typeof createFakeClock>
let call: (method: keyof ReturnType<typeof createHaltMethods>, params: unknown) => Promise<unknown>

beforeEach(async () => {
  store = await createSqliteStore({ file: ':memory:' })
  await applyBlock(store, 1, poolCreated, seriesCreated({ expiry: openedAt / 1_000 + 86_400 }))
  clock = createFakeClock(openedAt)
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  controls = createControls({ store, clock, random: randomBytes, log })
  await controls.start()
  const methods = createHaltMethods({ store, clock, controls })
  call = (method, params) => methods[method](params)
})
afterEach(async () => {
  controls.stop()
  await store.close()
})

const audited = async () =>
  (await store.listAudit({ limit: 9, before: null })).map(({ command, subject, who, why, detail }) => ({
    ...{ command, subject, who, why, detail: JSON.parse(detail) },
  }))

describe('halts', () => {
  test('default: of a pool, a series and all RFQs, each with an audit entry', async () => {
    const since = openedAt
    const ofPool = { since, message, why }
    expect(await call('pools.halt', { ...pool, why, message })).toEqual({ scope: 'pool', poolId, halted: ofPool })
    const ofSeries = { since, message: null, why }
    expect(await call('series.halt', { ...series, why })).toEqual({ scope: 'series', seriesKey, halted: ofSeries })
    const ofRfqs = { since, message, why: null }
    expect(await call('rfqs.halt', { who: 'ana', message })).toEqual({ scope: 'rfqs', halted: ofRfqs })
    const { halts } = controls.current()
    expect([halts.all.length, halts.ofRfqs?.message, halts.ofMarket({ poolId })?.why]).toEqual([3, message, why])
    const [first] = await store.listSeries()
    expect(await call('pools.list', {})).toEqual({
      rfqs: ofRfqs,
      pools: [{ poolId, halted: ofPool, series: [{ seriesKey, expiry: first?.expiry, halted: ofSeries }] }],
    })
    expect(await audited()).toEqual([
      { command: 'rfqs halt', subject: 'rfqs', who: 'ana', why: message, detail: { message } },
      { command: 'series halt', subject: `series:${seriesKey}`, who: 'ana', why, detail: { message: null } },
      { command: 'pools halt', subject: `pool:${poolId}`, who: 'ana', why, detail: { message } },
    ])
  })

  test('behavior: another halt replaces the texts and keeps the start', async () => {
    await call('pools.halt', { ...pool, why, message })
    clock.advance(5_000)
    expect(await call('pools.halt', { ...pool, why: 'still' })).toMatchObject({
      halted: { since: openedAt, message: null, why: 'still' },
    })
    const [entry] = await audited()
    expect(entry?.detail).toEqual({ message: null, replaced: { since: openedAt, message, why } })
  })

  test.each([
    ['pools', pool],
    ['series', series],
    ['rfqs', { who: 'ana' }],
  ] as const)('behavior: %s are resumed once', async (name, target) => {
    await call(`${name}.halt`, { ...target, why, message })
    expect(await call(`${name}.resume`, target)).toMatchObject({ halted: null })
    expect(controls.current().halts.all).toEqual([])
    const [entry] = await audited()
    expect(entry).toMatchObject({ command: `${name} resume`, detail: { ended: { since: openedAt, message, why } } })
    await expect(call(`${name}.resume`, target)).rejects.toMatchObject({ code: 'REFUSED' })
    expect(await audited()).toHaveLength(2)
  })

  test.each([
    ['pools.halt', { ...pool, poolId: unknown, why }, `There is no pool ${unknown}.`],
    ['series.halt', { ...series, seriesKey: unknown, why }, `There is no series ${unknown}.`],
  ] as const)('error: %s of an unknown market', async (method, params, shortMessage) => {
    await expect(call(method, params)).rejects.toMatchObject({ code: 'REFUSED', shortMessage })
    expect(await audited()).toEqual([])
  })

  test.each([
    ['pools.halt', pool],
    ['pools.halt', { ...pool, why: '' }],
    ['pools.halt', { ...pool, why, message: 'a'.repeat(281) }],
    ['pools.halt', { ...pool, why, message: 'a\nb' }],
    ['pools.halt', { ...pool, why, message: '\u202eb' }],
    ['pools.halt', { ...pool, why, note: 'x' }],
    ['pools.halt', { poolId, why }],
    ['pools.halt', { ...pool, poolId: '0x12', why }],
    ['rfqs.halt', { who: 'ana', why }],
  ] as const)('error: %s with %j', async (method, params) => {
    await expect(call(method, params)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })

  test('behavior: a text of 280 characters', async () => {
    const longest = 'ä'.repeat(280)
    expect(await call('rfqs.halt', { who: 'ana', message: longest })).toMatchObject({ halted: { message: longest } })
  })
})
