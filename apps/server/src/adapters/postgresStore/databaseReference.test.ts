import { findPostgres } from '@firmquote/cluster/findPrograms'
import { sharePostgres } from '@firmquote/cluster/sharePostgres'
import { systemClock } from '@firmquote/core/utils'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createSteppedDatabase, type SteppedDatabase } from '../../../test/steppedDatabase.ts'
import { closesAt, newAuction, newClose } from '../../../test/storedQuotes.ts'
import { createPostgresStore, type PostgresStore } from './postgresStore.ts'

const given = findPostgres() ? describe : describe.skip

given('createDatabaseReference', () => {
  let database: SteppedDatabase
  let store: PostgresStore
  beforeEach(async () => {
    database = await createSteppedDatabase(await sharePostgres())
    store = await createPostgresStore({ url: database.url, clock: systemClock, log: { info() {}, warn() {} } })
  }, 60_000)
  afterEach(() => store?.close())

  test("default: the database's time, the offset, and when a caller last agreed with their sum", async () => {
    const { reference } = store
    const { time, ...first } = await reference.read(null)
    expect(Math.abs(time - Date.now())).toBeLessThan(1_000)
    expect(first).toEqual({ offset: 0, agreedAt: null })
    // A caller whose time differs leaves no trace.
    for (const off of [-5_000, 5_000]) await reference.read(Date.now() + off)
    expect((await reference.read(Date.now())).agreedAt).toBeNull()
    const { time: later, agreedAt } = await reference.read(null)
    expect(agreedAt).toBeGreaterThanOrEqual(time)
    expect(agreedAt).toBeLessThanOrEqual(later)
  })

  test('behavior: an offset is set only if it has not changed, and reset only while no auction is open', async () => {
    const { reference } = store
    await database.set(3_600_000)
    const { time, offset } = await reference.read(null)
    expect([Math.abs(time - Date.now() - 3_600_000) < 1_000, offset]).toEqual([true, 0])
    await reference.setOffset({ from: 0, to: -3_600_000 })
    await reference.setOffset({ from: 0, to: 7 })
    const set = await reference.read(null)
    expect(set.offset).toBe(-3_600_000)
    expect(set.agreedAt).toBeGreaterThanOrEqual(time)
    await store.openAuction(newAuction())
    await reference.resetOffset(-3_600_000)
    expect((await reference.read(null)).offset).toBe(-3_600_000)
    await store.closeAuction(newClose(undefined, { at: closesAt }))
    await reference.resetOffset(0)
    expect((await reference.read(null)).offset).toBe(-3_600_000)
    await reference.resetOffset(-3_600_000)
    expect((await reference.read(null)).offset).toBe(0)
  })
})
