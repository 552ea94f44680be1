import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { describe, expect, test } from '@jest/globals'
import { createInProcessQuotas } from '../adapters/inProcessQuotas.ts'
import { createSqliteStore } from '../adapters/sqliteStore/sqliteStore.ts'
import { StorageUnavailableError } from '../ports/errors.ts'
import type { Store } from '../ports/store.ts'
import { createServiceFigures } from './serviceFigures.ts'

const start = async (changes: Partial<Store> = {}) => {
  const clock = createFakeClock()
  const store = await createSqliteStore({ file: ':memory:' })
  let pings = 0
  const figures = createServiceFigures(
    {
      clock,
      quotas: createInProcessQuotas(clock, { rfqsPerMinute: 1, openRfqs: 1, openAuctions: 1 }),
      store: {
        ...store,
        ping: async () => {
          pings += 1
          return store.ping()
        },
        ...changes,
      },
    },
    {
      sync: {
        status: () => ({
          head: null,
          synced: null,
          lagSeconds: null,
          failing: false,
          disagrees: false,
          state: 'starting',
        }),
      },
      hub: { count: () => ({ open: 3, backers: 4 }) },
      storage: { isWritable: () => false },
      checkpoints: { overdueSeconds: () => 7 },
      proofs: {
        log: {
          newest: () => ({ size: 3, root: new Uint8Array(), at: clock.now() - 2_000, text: '', note: '', keys: [] }),
          waiting: () => 1,
        },
        witnesses: {
          count: () => 2,
          cosigned: () => ({
            head,
            cosignatures: [signedAt(clock.now() / 1_000 - 9), signedAt(clock.now() / 1_000 - 4)],
          }),
        },
      },
    },
  )
  return { clock, figures, pings: () => pings }
}

const head = { origin: 'log', size: 3, root: new Uint8Array(), at: 0, text: '', note: '' }
const signedAt = (time: number) => ({ key: '', name: '', size: 3, time, line: '' })

describe('serviceFigures', () => {
  test('default', async () => {
    const { figures } = await start()
    expect(await figures()).toEqual({
      openAuctions: 3,
      backers: 4,
      places: { open: 0, unverified: 0, abandoned: 0 },
      clockOffsetSeconds: 0,
      chain: { head: null, synced: null, headAgeSeconds: null, lagSeconds: null },
      checkpointOverdueSeconds: 7,
      proofLog: { size: 3, ageSeconds: 2, waiting: 1, witnesses: 2, cosignedAgeSeconds: 4 },
      database: {
        isReadable: true,
        isWritable: false,
        isWhole: true,
        size: { data: null, log: null, free: null },
      },
    })
  })

  test('behavior: the database is read once a second, for any number of readers', async () => {
    const { clock, figures, pings } = await start()
    await Promise.all([figures(), figures(), figures()])
    await figures()
    expect(pings()).toBe(1)
    clock.advance(1_000)
    await figures()
    expect(pings()).toBe(2)
  })

  test('error: a failing database is reported unreadable, without an exception', async () => {
    const fail = async () => Promise.reject(new StorageUnavailableError('gone'))
    const { figures } = await start({ ping: fail, size: fail, integrity: () => 'bad' })
    expect((await figures()).database).toMatchObject({ isReadable: false, isWhole: false })
  })

  test('error: a silent database is reported unreadable after a second', async () => {
    const never = () => new Promise<never>(() => {})
    const { clock, figures } = await start({ ping: never, size: never, integrity: () => 'checking' })
    const asked = figures()
    clock.advance(999)
    let isAnswered = false
    void asked.then(() => {
      isAnswered = true
    })
    await Promise.resolve()
    expect(isAnswered).toBe(false)
    clock.advance(1)
    expect((await asked).database).toMatchObject({ isReadable: false, isWhole: null })
  })
})
