import { randomBytes } from 'node:crypto'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { Address } from 'viem'
import { createSqliteStore } from '../../adapters/sqliteStore/sqliteStore.ts'
import { type Ban, encodeControl, keyOf } from '../../domain/controls/controls.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { ControlChange, Store } from '../../ports/store.ts'
import { type ControlPlane, createControls, type DecidedChange } from './controls.ts'

const maker: Address = `0x${'ab'.repeat(20)}`
const ban = (until: number | null = null): Ban => ({ kind: 'ban', maker, since: 1, until, why: 'test' })
const entry = { who: 'ops', command: 'makers ban', subject: maker, why: 'test', detail: '{}' }
const banned: DecidedChange = { put: [encodeControl(ban())], entry }
const freed: DecidedChange = { remove: [keyOf('ban', maker)], entry: { ...entry, command: 'makers unban' } }

describe('createControls', () => {
  let store: Store
  let clock: ReturnType<typeof createFakeClock>
  let logs: string[]
  const open: ControlPlane[] = []
  beforeEach(async () => {
    store = await createSqliteStore({ file: ':memory:' })
    clock = createFakeClock()
    logs = []
  })
  afterEach(async () => {
    for (const controls of open.splice(0)) controls.stop()
    await store.close()
  })

  const note = (_: unknown, message: string) => void logs.push(message)
  const create = (isShared: boolean, changed: Partial<Store> = {}) => {
    const log = { debug: note, info: note, warn: note, error: note }
    const controls = createControls({ store: { ...store, ...changed }, clock, random: randomBytes, log, isShared })
    open.push(controls)
    return controls
  }
  /** Lets time pass, and each poll answer before the next one. */
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += 500) {
      clock.advance(500)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const isBanned = (controls: ControlPlane) => controls.current().banOf(maker, clock.now()) !== null
  const audited = async () => (await store.listAudit({ limit: 9, before: null })).map(({ command }) => command)

  test('default: a change is in force and audited when the call returns', async () => {
    const controls = create(false)
    await controls.start()
    const seen: boolean[] = []
    const leave = controls.onChange((now) => seen.push(now.banOf(maker, 0) !== null))
    await controls.change(() => banned)
    expect([isBanned(controls), seen, await audited()]).toEqual([true, [true], ['makers ban']])
    leave()
    await controls.change(() => freed)
    expect([isBanned(controls), seen, await audited()]).toEqual([false, [true], ['makers unban', 'makers ban']])
    expect(await store.listAudit({ limit: 1, before: null })).toMatchObject([
      { at: Math.floor(clock.now()), who: 'ops' },
    ])
  })

  test('behavior: another instance follows within a second', async () => {
    const [one, two] = [create(true), create(true)]
    await Promise.all([one.start(), two.start()])
    const seen: number[] = []
    two.onChange(({ version }) => seen.push(version))
    await one.change(() => banned)
    expect(isBanned(two)).toBe(false)
    await pass(500)
    expect([isBanned(two), seen]).toEqual([true, [1]])
    await pass(2_000)
    expect(seen).toEqual([1])
  })

  test('behavior: a change is decided on the newest controls, although another comes first', async () => {
    const other = create(true)
    await other.start()
    let raced = false
    const one = create(true, {
      async changeControls(change) {
        if (!raced) await other.change(() => banned)
        raced = true
        return store.changeControls(change)
      },
    })
    await one.start()
    const decidedOn: number[] = []
    await one.change(({ version }) => {
      decidedOn.push(version)
      return freed
    })
    expect([decidedOn, isBanned(one), await audited()]).toEqual([[0, 1], false, ['makers unban', 'makers ban']])
  })

  test.each([true, false])(
    'behavior: a change whose outcome is unknown is stored once (stored: %s)',
    async (stored) => {
      let failures = 1
      const controls = create(false, {
        async changeControls(change: ControlChange) {
          if (failures === 0) return store.changeControls(change)
          failures -= 1
          if (stored) await store.changeControls(change)
          throw new OutcomeUnknownError('The connection was lost during a write.')
        },
      })
      await controls.start()
      await controls.change(() => banned)
      expect([isBanned(controls), await audited()]).toEqual([true, ['makers ban']])
    },
  )

  test('behavior: an outcome that stays unknown is reported, and read later', async () => {
    let isDown = false
    const controls = create(false, {
      async changeControls(change) {
        if (!isDown) await store.changeControls(change)
        isDown = true
        throw new OutcomeUnknownError('The connection was lost during a write.')
      },
      async readControls(known) {
        if (isDown) throw new StorageUnavailableError('The database did not answer.')
        return store.readControls(known)
      },
    })
    await controls.start()
    await expect(controls.change(() => banned)).rejects.toThrow(OutcomeUnknownError)
    expect(isBanned(controls)).toBe(false)
    await pass(5_000)
    isDown = false
    await pass(500)
    expect(isBanned(controls)).toBe(true)
    expect(logs.filter((message) => message.startsWith('failed to read'))).toHaveLength(1)
  })

  test('behavior: the last controls stay in force while the store cannot be read', async () => {
    let isDown = false
    const controls = create(true, {
      async readControls(known) {
        if (isDown) throw new StorageUnavailableError('The database did not answer.')
        return store.readControls(known)
      },
    })
    await controls.start()
    await controls.change(() => banned)
    isDown = true
    await pass(60_000)
    expect(isBanned(controls)).toBe(true)
  })

  test('error: nothing is known before the first read, and a start without one fails', async () => {
    const controls = create(true, {
      async readControls() {
        throw new StorageUnavailableError('The database did not answer.')
      },
    })
    expect(() => controls.current()).toThrow(StorageUnavailableError)
    await expect(controls.start()).rejects.toThrow(StorageUnavailableError)
    expect(() => controls.current()).toThrow(StorageUnavailableError)
  })

  test('error: a decision that throws changes nothing', async () => {
    const controls = create(false)
    await controls.start()
    const refuse = () => {
      throw new TypeError('no')
    }
    await expect(controls.change(refuse)).rejects.toThrow('no')
    expect([controls.current().version, await audited()]).toEqual([0, []])
  })

  test('error: changes that never come first', async () => {
    const controls = create(false, { changeControls: async () => null })
    await controls.start()
    await expect(controls.change(() => banned)).rejects.toThrow(/keep coming first; try again/)
  })
})
