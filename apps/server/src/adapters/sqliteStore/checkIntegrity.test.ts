import { join } from 'node:path'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { waitUntil } from '../../../test/waitUntil.ts'
import { checkIntegrity } from './checkIntegrity.ts'

useFolder(beforeEach, afterEach)

describe('checkIntegrity', () => {
  test('error: a failed check is reported once and retried', async () => {
    const file = join(folder, 'later.db')
    const clock = createFakeClock()
    const reports: unknown[] = []
    const failures: unknown[] = []
    const check = checkIntegrity(file, clock, {
      report: (damage) => reports.push(damage),
      failed: (cause) => failures.push(cause),
    })
    await waitUntil(() => clock.pending() === 1)
    expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining('unable to open') })])
    clock.advance(1_000)
    await waitUntil(() => clock.pending() === 1)
    expect([failures.length, reports]).toEqual([1, []])

    const database = new SqliteDatabase(file)
    database.exec('create table one (id integer)')
    database.close()
    clock.advance(1_000)
    await waitUntil(() => reports.length > 0)
    expect(reports).toEqual([null])
    await check.close()
    expect(clock.pending()).toBe(0)
  })
})
