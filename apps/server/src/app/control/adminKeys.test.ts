import { createHash, randomBytes } from 'node:crypto'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import pino from 'pino'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { Store } from '../../ports/store.ts'
import { createKeysMethods } from './adminKeys.ts'
import { type ControlPlane, createControls } from './controls.ts'
import { createFindIntegrator } from './integrators.ts'

const log = pino({ level: 'silent' })
const configured = { id: 'ab'.repeat(32), limits: { rfqsPerMinute: 600, openRfqs: 100 } }
const integrators = new Map([[configured.id, configured]])
const hashOf = (key: string) => createHash('sha256').update(key).digest('hex')
const issue = { name: 'acme', perMinute: 60, open: 10, who: 'ana' }

let store: Store
let controls: ControlPlane
let clock: ReturnType<typeof createFakeClock>
let call: (method: string, params?: unknown) => Promise<unknown>
let find: (key: string) => ReturnType<ReturnType<typeof createFindIntegrator>>

beforeEach(async () => {
  store = await createSqliteStore({ file: ':memory:' })
  clock = createFakeClock()
  controls = createControls({ store, clock, random: randomBytes, log })
  await controls.start()
  const methods: Record<string, (params: unknown) => Promise<unknown>> = createKeysMethods({
    ...{ clock, random: randomBytes, integrators, controls },
  })
  call = async (method, params = {}) => methods[method]?.(params)
  const findIntegrator = createFindIntegrator({ controls, clock, integrators })
  find = (key) => findIntegrator(hashOf(key))
})
afterEach(async () => {
  controls.stop()
  await store.close()
})

describe('keys.issue', () => {
  test('default: a key with its own limits, of which only the hash is stored', async () => {
    const issued = (await call('keys.issue', { ...issue, why: 'contract 12' })) as { key: string; id: string }
    expect(issued).toMatchObject({ key: expect.stringMatching(/^firmquote_[\w-]{43}$/), name: 'acme', until: null })
    const id = hashOf(issued.key)
    expect(issued.id).toBe(id.slice(0, 12))
    expect(find(issued.key)).toEqual({ ok: true, integrator: { id, limits: { rfqsPerMinute: 60, openRfqs: 10 } } })
    const [entry, ...others] = await store.listAudit({ limit: 9, before: null })
    expect(others).toEqual([])
    expect(entry).toMatchObject({ who: 'ana', command: 'keys issue', subject: 'acme', why: 'contract 12' })
    const stored = JSON.stringify([entry, await store.readControls(null), await call('keys.list')])
    expect(stored).not.toContain(issued.key)
  })

  test('behavior: expires by itself', async () => {
    const { key } = (await call('keys.issue', { ...issue, expires: '30m' })) as { key: string }
    clock.advance(30 * 60_000 - 1)
    expect(find(key)).toMatchObject({ ok: true })
    clock.advance(1)
    expect(find(key)).toEqual({ ok: false, message: expect.stringContaining('expired at') })
    // A new one may have the same name.
    expect(await call('keys.issue', issue)).toMatchObject({ name: 'acme' })
  })

  test('error: a name in use, and parameters out of range', async () => {
    await call('keys.issue', issue)
    await expect(call('keys.issue', issue)).rejects.toMatchObject({ code: 'REFUSED' })
    for (const wrong of [{ perMinute: 0 }, { perMinute: 10_001 }, { open: 0 }, { name: 'A' }, { expires: '1y' }]) {
      await expect(call('keys.issue', { ...issue, name: 'other', ...wrong })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      })
    }
    expect(await store.listAudit({ limit: 9, before: null })).toHaveLength(1)
  })
})

describe('keys.revoke', () => {
  const revoke = (key: string) => call('keys.revoke', { key, who: 'ana', why: 'leaked' })

  test('default: by name, and one of the settings by its id', async () => {
    const { key } = (await call('keys.issue', issue)) as { key: string }
    await revoke('acme')
    expect(find(key)).toEqual({ ok: false, message: 'is an API key that the operator has revoked' })
    const findConfigured = createFindIntegrator({ controls, clock, integrators })
    expect(findConfigured(configured.id)).toEqual({ ok: true, integrator: configured })
    clock.advance(1)
    await revoke(configured.id.slice(0, 12))
    expect(findConfigured(configured.id)).toMatchObject({ ok: false })
    expect(await call('keys.list')).toMatchObject({
      keys: [
        { name: 'acme', state: 'revoked', source: 'store' },
        { id: configured.id.slice(0, 12), state: 'revoked', perMinute: 600, open: 100 },
      ],
    })
    expect(await store.listAudit({ limit: 9, before: null })).toHaveLength(3)
  })

  test('error: an unknown key, and one that is already revoked', async () => {
    await expect(revoke('acme')).rejects.toMatchObject({ code: 'REFUSED' })
    await call('keys.issue', issue)
    await revoke('acme')
    await expect(revoke('acme')).rejects.toMatchObject({ code: 'REFUSED' })
    await expect(call('keys.revoke', { key: 'acme', who: 'ana' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  })
})

test('error: an unknown key, whose message does not differ for keys that are not known', () => {
  expect([find('firmquote_guess'), find('')]).toEqual([
    { ok: false, message: 'is not a valid API key for this service' },
    { ok: false, message: 'is not a valid API key for this service' },
  ])
})
