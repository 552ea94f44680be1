import { randomBytes } from 'node:crypto'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import pino from 'pino'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import type { Store } from '../../ports/store.ts'
import { loadConfiguration } from '../../start/configuration.ts'
import { createLiveLimits } from '../../start/liveLimits.ts'
import { createLimitsMethods } from './adminLimits.ts'
import { type ControlPlane, createControls } from './controls.ts'

const configuration = loadConfiguration({ RPC_URL: 'http://localhost:8545', OPEN_RFQS: '7' })
const who = 'ana'
const createTargets = () => ({
  published: { rfqsPerMinute: 12, openRfqs: 7, openAuctions: 200, takerProofsPerMinute: 60, storedQuotesPerMaker: 100 },
  service: { rfqsPerMinute: 12, openRfqs: 7, openAuctions: 200, takerProofsPerMinute: 60, runningJudgements: 2_000 },
})

let store: Store
let controls: ControlPlane
let call: (method: string, params?: unknown) => Promise<unknown>
let targets: ReturnType<typeof createTargets>

beforeEach(async () => {
  store = await createSqliteStore({ file: ':memory:' })
  targets = createTargets()
  const liveLimits = createLiveLimits(configuration, targets as never)
  const clock = createFakeClock()
  controls = createControls({ store, clock, random: randomBytes, log: pino({ level: 'silent' }) })
  controls.onChange(({ limits }) =>
    liveLimits.apply(new Map([...limits.values()].map(({ name, value }) => [name, value]))),
  )
  await controls.start()
  const methods: Record<string, (params: unknown) => Promise<unknown>> = createLimitsMethods({
    clock,
    liveLimits,
    controls,
  })
  call = async (method, params = {}) => methods[method]?.(params)
})
afterEach(async () => {
  controls.stop()
  await store.close()
})

test('default: a limit overrides its setting until it is reset, with an audit entry for each change', async () => {
  const rowOf = async (name: string) => {
    const { limits } = (await call('limits.show')) as { limits: { name: string }[] }
    return limits.find((limit) => limit.name === name)
  }
  expect(await rowOf('RFQS_PER_MINUTE')).toMatchObject({ value: 12, source: 'default', setting: 12 })
  expect(await rowOf('OPEN_RFQS')).toMatchObject({ value: 7, source: 'environment' })
  await call('limits.set', { name: 'RFQS_PER_MINUTE', value: 30, who })
  expect(await rowOf('RFQS_PER_MINUTE')).toMatchObject({ value: 30, source: 'store', setting: 12 })
  expect(targets).toMatchObject({
    published: { rfqsPerMinute: 30, takerProofsPerMinute: 150, openRfqs: 7 },
    service: { rfqsPerMinute: 30, takerProofsPerMinute: 150 },
  })
  // Each object has only its own limits.
  await call('limits.set', { name: 'RUNNING_JUDGEMENTS', value: 5, who })
  expect(targets.published).not.toHaveProperty('runningJudgements')
  expect(targets.service.runningJudgements).toBe(5)
  await call('limits.reset', { name: 'RFQS_PER_MINUTE', who, why: 'the attack ended' })
  expect(targets.service).toMatchObject({ rfqsPerMinute: 12, takerProofsPerMinute: 60, runningJudgements: 5 })
  const audit = await store.listAudit({ limit: 9, before: null })
  expect(audit.map(({ command, subject, why }) => [command, subject, why])).toEqual([
    ['limits reset', 'RFQS_PER_MINUTE', 'the attack ended'],
    ['limits set', 'RUNNING_JUDGEMENTS', null],
    ['limits set', 'RFQS_PER_MINUTE', null],
  ])
})

test.each([
  ['limits.set', { name: 'PORT', value: 1 }, 'REFUSED'],
  ['limits.set', { name: 'OPEN_RFQS', value: 0 }, 'REFUSED'],
  ['limits.set', { name: 'OPEN_RFQS', value: 1.5 }, 'REFUSED'],
  ['limits.set', { name: 'OPEN_RFQS', value: 1_000_001 }, 'REFUSED'],
  ['limits.set', { name: 'OPEN_RFQS', value: '8' }, 'INVALID_INPUT'],
  ['limits.set', { name: 'OPEN_RFQS' }, 'INVALID_INPUT'],
  ['limits.reset', { name: 'OPEN_RFQS' }, 'REFUSED'],
  ['limits.reset', { name: 'PORT' }, 'REFUSED'],
])('error: %s with %j', async (method, params, code) => {
  await expect(call(method, { ...params, who })).rejects.toMatchObject({ code })
  expect(await store.listAudit({ limit: 9, before: null })).toEqual([])
})
