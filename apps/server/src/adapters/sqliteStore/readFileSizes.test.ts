import { mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { newQuote } from '../../../test/storedQuotes.ts'
import { createSqliteStore } from './sqliteStore.ts'

test('default: sizes of the file and its log, and free disk space', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-size-'))
  const file = join(folder, 'firmquote.db')
  const store = await createSqliteStore({ file })
  await store.insertQuote(newQuote(1))
  const { data, log, free } = await store.size()
  expect([data, log]).toEqual([statSync(file).size, statSync(`${file}-wal`).size])
  expect(log).toBeGreaterThan(0)
  const disk = statfsSync(folder)
  // Other processes also write to the disk, so its free space is not constant.
  expect(Math.abs((free ?? 0) - disk.bavail * disk.bsize)).toBeLessThan(1e9)
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('behavior: null for an in-memory database', async () => {
  const store = await createSqliteStore({ file: ':memory:' })
  expect(await store.size()).toEqual({ data: null, log: null, free: null })
  await store.close()
})
