import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { bytesOf, exampleFill, filledStatus, otherStatus } from '../../../test/exampleFill.ts'
import { exampleOutstanding } from '../../../test/exampleOutstanding.ts'
import type { Store } from '../../ports/store.ts'
import { createSqliteStore } from './createSqliteStore.ts'
import { createFillRows } from './fillRows.ts'
import { openDatabase } from './openDatabase.ts'

const url = 'http://localhost:3005'
const day = 86_400_000
const options = { hasHook: true, now: 0 }
let folder: string
let store: Store

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firmquote-fills-'))
  store = await createSqliteStore({ file: join(folder, 'daemon.db'), now: 0 })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

async function reopen(now = 0): Promise<void> {
  await store.close()
  store = await createSqliteStore({ file: join(folder, 'daemon.db'), now })
}

describe('last status update of a service', () => {
  test('default: stored with the update, by service', async () => {
    expect(await store.findStatusSeq(url)).toBe(0)
    expect(await store.saveStatus(url, filledStatus(7, exampleFill()), options)).toBe('filled')
    expect(await store.saveStatus(url, otherStatus(8, bytesOf(2), 'cancelled'), options)).toBe('none')
    await reopen()
    expect(await store.findStatusSeq(url)).toBe(8)
    expect(await store.findStatusSeq('http://localhost:3006')).toBe(0)
    expect(await store.listUnansweredFills('filled')).toMatchObject([
      { hash: bytesOf(1), status: 'filled', final: false, block: 100, change: 1, begun: 0, told: null },
    ])
  })

  test('error: an invalid number stores neither', async () => {
    const broken = filledStatus(1.5, exampleFill())
    await expect(store.saveStatus(url, broken, options)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' })
    expect(await store.findStatusSeq(url)).toBe(0)
    expect(await store.countUnansweredFills('filled')).toBe(0)
  })
})

describe('fills', () => {
  test('default: a fill is undelivered until the hook has received its last change, also after a restart', async () => {
    const fill = exampleFill()
    await store.saveStatus(url, filledStatus(1, fill), options)
    const [record] = await store.listUnansweredFills('filled')
    if (!record) throw new TypeError('there is no fill')
    expect(await store.beginFill(record, fill)).toBe(true)
    await reopen()
    expect(await store.listUnansweredFills('filled')).toEqual([{ ...record, begun: 1, told: fill }])
    await store.finishFill(record)
    expect(await store.countUnansweredFills('filled')).toBe(0)
    expect(await store.saveStatus(url, filledStatus(1, fill), options)).toBe('none')
    expect(await store.countUnansweredFills('filled')).toBe(0)
  })

  test('behavior: a fill that moves to another block or is reverted is a new change', async () => {
    const fill = exampleFill()
    await store.saveStatus(url, filledStatus(1, fill), options)
    await store.beginFill({ hash: fill.hash, change: 1 }, fill)
    await store.finishFill({ hash: fill.hash, change: 1 })
    expect(await store.saveStatus(url, filledStatus(2, { ...fill, block: 101n }), options)).toBe('filled')
    expect(
      await store.saveStatus(url, filledStatus(3, { ...fill, block: 101n, transactionHash: bytesOf(5) }), options),
    ).toBe('filled')
    expect(await store.listUnansweredFills('filled')).toMatchObject([{ status: 'filled', block: 101, change: 3 }])
    expect(await store.saveStatus(url, otherStatus(4, fill.hash), options)).toBe('reverted')
    expect(await store.saveStatus(url, otherStatus(5, fill.hash, 'cancelled'), options)).toBe('none')
    expect(await store.listUnansweredFills('filled')).toMatchObject([{ status: 'reverted', change: 4, told: fill }])
  })

  test('behavior: an undelivered fill needs no revert notice, and stale records are rejected', async () => {
    const fill = exampleFill()
    await store.saveStatus(url, filledStatus(1, fill), options)
    expect(await store.saveStatus(url, otherStatus(2, fill.hash), options)).toBe('reverted')
    expect(await store.listUnansweredFills('filled')).toEqual([])
    expect(await store.beginFill({ hash: fill.hash, change: 1 }, fill)).toBe(false)
    await store.saveStatus(url, filledStatus(3, { ...fill, block: 101n }), options)
    expect(await store.beginFill({ hash: fill.hash, change: 1 }, fill)).toBe(false)
    await store.finishFill({ hash: fill.hash, change: 1 })
    expect(await store.listUnansweredFills('filled')).toMatchObject([{ status: 'filled', block: 101, change: 3 }])
  })

  test('behavior: when: final waits for finality, but not for a revert', async () => {
    const fill = exampleFill()
    await store.saveStatus(url, filledStatus(1, fill), options)
    expect(await store.countUnansweredFills('final')).toBe(0)
    expect(await store.saveStatus(url, filledStatus(2, fill, true), options)).toBe('none')
    expect(await store.listUnansweredFills('final')).toMatchObject([{ final: true, change: 1 }])
    await store.beginFill({ hash: fill.hash, change: 1 }, fill)
    await store.finishFill({ hash: fill.hash, change: 1 })
    await store.saveStatus(url, otherStatus(3, fill.hash), options)
    expect(await store.listUnansweredFills('final')).toMatchObject([{ status: 'reverted', final: false }])
  })

  test('behavior: without a hook fills count as delivered, unless an earlier hook needs a revert notice', async () => {
    const without = { hasHook: false, now: 0 }
    const [one, other] = [exampleFill(), exampleFill({ hash: bytesOf(2) })]
    await store.saveStatus(url, filledStatus(1, one), without)
    await store.saveStatus(url, filledStatus(2, other), options)
    await store.beginFill({ hash: other.hash, change: 2 }, other)
    await store.finishFill({ hash: other.hash, change: 2 })
    await store.saveStatus(url, otherStatus(3, one.hash), without)
    await store.saveStatus(url, otherStatus(4, other.hash), without)
    expect(await store.listUnansweredFills('filled')).toMatchObject([{ hash: other.hash, status: 'reverted' }])
  })

  test('behavior: in the order of their changes', async () => {
    const fills = [3, 1, 2].map((number) => exampleFill({ hash: bytesOf(number) }))
    for (const [index, fill] of fills.entries()) await store.saveStatus(url, filledStatus(index + 1, fill), options)
    await store.saveStatus(url, filledStatus(4, exampleFill({ hash: bytesOf(3), block: 101n })), options)
    const hashes = (await store.listUnansweredFills('filled')).map(({ hash }) => hash)
    expect(hashes).toEqual([bytesOf(1), bytesOf(2), bytesOf(3)])
  })

  test('behavior: keeps delivered fills for thirty days, and others forever', async () => {
    const [told, untold] = [exampleFill(), exampleFill({ hash: bytesOf(2) })]
    await store.saveStatus(url, filledStatus(1, told), options)
    await store.saveStatus(url, filledStatus(2, untold), options)
    await store.beginFill({ hash: told.hash, change: 1 }, told)
    await store.finishFill({ hash: told.hash, change: 1 })
    await reopen(30 * day)
    expect(await store.saveStatus(url, filledStatus(3, told), options)).toBe('none')
    await reopen(31 * day)
    expect(await store.saveStatus(url, filledStatus(4, told), options)).toBe('filled')
    expect(await store.countUnansweredFills('filled')).toBe(2)
  })

  test('error: refuses fills of unknown quotes while too many fills are undelivered', async () => {
    await store.close()
    const db = await openDatabase(join(folder, 'daemon.db'))
    const rows = createFillRows(db, 2).store
    const save = (number: number) =>
      rows.saveStatus(url, filledStatus(number, exampleFill({ hash: bytesOf(number) })), options)
    expect([await save(1), await save(2), await save(3)]).toEqual(['filled', 'filled', 'refused'])
    expect(await rows.findStatusSeq(url)).toBe(3)
    expect(await rows.saveStatus(url, filledStatus(4, exampleFill({ block: 101n })), options)).toBe('filled')
    await db.destroy()
    store = await createSqliteStore({ file: join(folder, 'daemon.db'), now: 0 })
    const known = exampleOutstanding()
    const none = { rfqId: null, signature: null, verdict: 'unknown', code: null, signedAt: 0 } as const
    await store.add({ ...known, ...none })
    expect(await store.saveStatus(url, filledStatus(5, exampleFill({ hash: known.hash })), options)).toBe('filled')
  })
})
