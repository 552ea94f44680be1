import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folder as directory, useFolder } from '@firmquote/test-support/testFolder'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { newAuction, newAuctionQuote, newClose, newQuote, openedAt, rfqId } from '../../../test/storedQuotes.ts'
import { waitUntil } from '../../../test/waitUntil.ts'
import { ConfigurationError, StorageUnavailableError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { backUpDatabase } from './backUpDatabase.ts'
import { databaseFile, openOwnedStore } from './openOwnedStore.ts'

const pageBytes = 2048
/** Number of quotes in the database file. The killed server's log contains as many again. */
const inFile = 200

// Files left by a stopped server and by a killed server. The killed server also left a log.
let [stopped, killed] = ['', '']
beforeAll(async () => {
  stopped = mkdtempSync(join(tmpdir(), 'firmquote-stopped-'))
  killed = mkdtempSync(join(tmpdir(), 'firmquote-killed-'))
  await leave(stopped, 1)
  await (await openOwnedStore(stopped)).close()
  expect(existsSync(`${databaseFile(stopped)}-wal`)).toBe(false)
  cpSync(stopped, killed, { recursive: true })
  await leave(killed, 1 + inFile)
  expect(statSync(`${databaseFile(killed)}-wal`).size).toBeGreaterThan(100 * pageBytes)
})
afterAll(() => {
  for (const folder of [stopped, killed]) rmSync(folder, { recursive: true, force: true })
})

/** Publishes quotes numbered from `from`, then kills the server. */
async function leave(directory: string, from: number): Promise<void> {
  const url = (path: string) => JSON.stringify(String(new URL(path, import.meta.url)))
  const child = spawn(
    process.execPath,
    [
      '--no-warnings',
      '--input-type=module',
      '-e',
      `import { openOwnedStore } from ${url('./openOwnedStore.ts')}
      import { newAuction, newAuctionQuote, newQuote, openedAt } from ${url('../../../test/storedQuotes.ts')}
      const store = await openOwnedStore(${JSON.stringify(directory)})
      await store.openAuction(newAuction())
      await store.acceptQuote(newAuctionQuote(9_999), openedAt)
      for (let n = ${from}; n < ${from + inFile}; n += 10)
        await Promise.all(Array.from({ length: 10 }, (_, m) => store.insertQuote(newQuote(n + m))))
      process.kill(process.pid, 'SIGKILL')`,
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  )
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL'])
}

let file: string
useFolder(beforeEach, afterEach)
beforeEach(() => {
  file = databaseFile(directory)
})

const copyOf = (source: string) => cpSync(source, directory, { recursive: true })

/** Changes a file in place. */
function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path)
  edit(bytes)
  writeFileSync(path, bytes)
}

/** Reads all acknowledged data. */
async function touchAll(store: Store, published: number): Promise<void> {
  const missing: number[] = []
  for (let n = 1; n <= published; n += 1) if (!(await store.findQuote(newQuote(n).hash))) missing.push(n)
  expect(missing).toEqual([])
  expect((await store.listQuotes({ limit: 100 }, 0n)).quotes).toHaveLength(100)
  expect(await store.findAuction({ rfqId })).toMatchObject({ quotes: [{ seq: 1 }], close: null })
}

/**
 * The result of starting a store on the files: refused, down on first use, or whole if the store has this number of
 * quotes.
 */
async function start(published = 2 * inFile): Promise<string> {
  let store: Store
  try {
    store = await openOwnedStore(directory)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return 'refused'
  }
  try {
    await waitUntil(() => store.integrity() !== 'checking')
    if (store.integrity() === 'ok') {
      await touchAll(store, published)
      return 'whole'
    }
    // The failure is permanent.
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
    await expect(store.probe()).rejects.toThrow(/damaged; restore it from a backup/)
    await expect(store.insertQuote(newQuote(9_999))).rejects.toThrow(StorageUnavailableError)
    expect(store.integrity()).toBe('bad')
    return 'down'
  } finally {
    await store.close()
  }
}

describe('damage', () => {
  test('behavior: an intact database is used, with and without a log', async () => {
    copyOf(stopped)
    expect(await start(inFile)).toBe('whole')
    copyOf(killed)
    expect(await start()).toBe('whole')
  })

  describe.each(['stopped', 'killed'] as const)('of a server that was %s', (how) => {
    beforeEach(() => copyOf(how === 'stopped' ? stopped : killed))

    // Pages in the log are never read from the database file, so damage to those pages alone is harmless.
    const expected = how === 'stopped' ? ['refused', 'down'] : ['refused', 'down', 'whole']

    test('behavior: emptied', async () => {
      truncateSync(file)
      expect(await start()).toBe('refused')
    })

    test.each([0.9, 0.5, 0.1])('behavior: truncated to %d of its length', async (part) => {
      const pages = Math.floor((statSync(file).size * part) / pageBytes)
      truncateSync(file, Math.max(1, pages) * pageBytes)
      expect(expected).toContain(await start())
    })

    test('behavior: truncated within its header', async () => {
      truncateSync(file, 50)
      expect(expected).toContain(await start())
    })

    test.each(['zeros', 'random bytes'] as const)('behavior: a third of its pages are %s', async (what) => {
      change(file, (bytes) => {
        for (let at = pageBytes; at < bytes.length; at += 3 * pageBytes) {
          const page = bytes.subarray(at, at + pageBytes)
          if (what === 'zeros') page.fill(0)
          else randomBytes(page.length).copy(page)
        }
      })
      expect(expected).toContain(await start())
    })

    test.each(['zeros', 'random bytes'] as const)('behavior: its first page is %s', async (what) => {
      change(file, (bytes) => {
        if (what === 'zeros') bytes.fill(0, 0, pageBytes)
        else randomBytes(pageBytes).copy(bytes)
      })
      expect(expected).toContain(await start())
    })
  })

  describe('of a log', () => {
    let log: string
    beforeEach(() => {
      copyOf(killed)
      log = `${file}-wal`
    })
    const frameBytes = 24 + pageBytes
    const framesOf = () => Math.floor((statSync(log).size - 32) / frameBytes)

    test('behavior: a flipped bit in any part', async () => {
      const original = readFileSync(log)
      const frames = framesOf()
      expect(frames).toBeGreaterThan(100)
      for (const frame of [0, 1, Math.floor(frames / 2), frames - 2, frames - 1]) {
        for (const at of [0, 4, 9, 17, 24, 24 + Math.floor(Math.random() * pageBytes)]) {
          writeFileSync(log, original)
          change(log, (bytes) => {
            const place = 32 + frame * frameBytes + at
            bytes[place] = (bytes[place] ?? 0) ^ 1
          })
          expect([frame, at, await start()]).toEqual([frame, at, 'refused'])
        }
      }
      for (let at = 0; at < 32; at += 1) {
        writeFileSync(log, original)
        change(log, (bytes) => {
          bytes[at] = (bytes[at] ?? 0) ^ 0x80
        })
        expect([at, await start()]).toEqual([at, 'refused'])
      }
    })

    test('behavior: truncated, or partly missing', async () => {
      const original = readFileSync(log)
      for (const length of [original.length - 1, Math.floor(original.length / 2), 33, 31, 0]) {
        writeFileSync(log, original.subarray(0, length))
        expect([length, await start()]).toEqual([length, 'refused'])
      }
      rmSync(log)
      expect(await start()).toBe('refused')
    })

    test('behavior: without the index, later commits reveal damage', async () => {
      rmSync(`${file}-shm`)
      const original = readFileSync(log)
      const middle = 32 + Math.floor(framesOf() / 2) * frameBytes + 100
      change(log, (bytes) => {
        bytes[middle] = (bytes[middle] ?? 0) ^ 1
      })
      expect(await start()).toBe('refused')
      // A log may end in the middle of a frame if the last process was interrupted there. Both SQLite and this check
      // ignore an incomplete frame.
      writeFileSync(log, original.subarray(0, original.length - 1))
      expect(await start(2 * inFile - 10)).toBe('whole')
    })

    test('behavior: a log removed after a complete checkpoint is not missed, with or without its index', async () => {
      const index = `${file}-shm`
      const database = new SqliteDatabase(file)
      expect(database.pragma('wal_checkpoint(passive)')).toEqual([
        { busy: 0, log: framesOf(), checkpointed: framesOf() },
      ])
      const copied = readFileSync(index)
      database.close()
      expect(existsSync(log)).toBe(false)
      writeFileSync(index, copied)
      expect(await start()).toBe('whole')
      // One frame was not copied.
      copied.writeUInt32LE(copied.readUInt32LE(96) - 1, 96)
      writeFileSync(index, copied)
      expect(await start()).toBe('refused')
    })

    test('behavior: uncommitted data is not damage', async () => {
      writeFileSync(log, Buffer.concat([readFileSync(log), randomBytes(3 * frameBytes)]))
      expect(await start()).toBe('whole')
    })
  })

  test('behavior: during use, the next read of the damage stops all writes', async () => {
    copyOf(stopped)
    const store = await openOwnedStore(directory, { cacheMiB: 1 })
    await waitUntil(() => store.integrity() === 'ok')
    change(file, (bytes) => {
      for (let at = pageBytes; at < bytes.length; at += pageBytes) randomBytes(pageBytes).copy(bytes, at)
    })
    // Random bytes may resemble a page, so some reads do not detect the damage.
    for (let n = 1; n <= inFile; n += 1) await store.findQuote(newQuote(n).hash).catch(() => null)
    expect(store.integrity()).toBe('bad')
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
    await expect(store.closeAuction(newClose())).rejects.toThrow(/damaged/)
    await store.close()
  })
})

describe('backUpDatabase', () => {
  test('default: copies a snapshot during writes', async () => {
    const store = await openOwnedStore(directory)
    await store.openAuction(newAuction())
    await store.acceptQuote(newAuctionQuote(1), openedAt)
    let isCopied = false
    let n = 1
    const writing = (async () => {
      while (!isCopied) await store.insertQuote(newQuote(++n))
    })()
    await waitUntil(() => n > 20)
    const target = join(directory, 'copy', '..', 'copy.db')
    await backUpDatabase(directory, target)
    isCopied = true
    await writing
    expect(statSync(target).mode & 0o777).toBe(0o600)
    await expect(backUpDatabase(directory, target)).rejects.toThrow(/EEXIST/)
    await store.close()

    const restored = join(directory, 'restored')
    cpSync(target, databaseFile(restored))
    const copy = await openOwnedStore(restored)
    await waitUntil(() => copy.integrity() === 'ok')
    expect(await copy.findAuction({ rfqId })).toMatchObject({ quotes: [{ seq: 1 }], close: null })
    expect(await copy.closeAuction(newClose())).toMatchObject({ closedNow: true })
    for (let m = 2; m <= 20; m += 1) expect(await copy.findQuote(newQuote(m).hash)).not.toBeNull()
    await copy.close()
  })

  test('error: a missing database, or an invalid path of the copy', async () => {
    await expect(backUpDatabase(join(directory, 'none'), join(directory, 'copy.db'))).rejects.toThrow(
      ConfigurationError,
    )
    expect(existsSync(join(directory, 'copy.db'))).toBe(false)
    await expect(backUpDatabase(directory, join(directory, 'none', 'copy.db'))).rejects.toThrow(/Failed to copy/)
  })
})

describe('openOwnedStore', () => {
  test('behavior: a directory has one store at a time', async () => {
    const store = await openOwnedStore(directory)
    await expect(openOwnedStore(directory)).rejects.toThrow(
      new RegExp(`^Another server is using .*: process ${process.pid}, since .*; stop that process first`),
    )
    await store.close()
    const next = await openOwnedStore(directory)
    await next.close()
  })

  test('behavior: no other user can read its files, even if the database was open to all before', async () => {
    const modes = () => ['', '-wal', '-shm'].map((end) => statSync(`${databaseFile(directory)}${end}`).mode & 0o777)
    const warnings: unknown[] = []
    const log = { info() {}, warn: (facts: unknown) => void warnings.push(facts) }
    const first = await openOwnedStore(directory, { log })
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    await first.close()
    expect(warnings).toEqual([])

    chmodSync(databaseFile(directory), 0o644)
    const second = await openOwnedStore(directory, { log })
    await second.insertQuote(newQuote(1))
    expect(modes()).toEqual([0o600, 0o600, 0o600])
    await second.close()
    expect(warnings).toEqual([{ files: expect.arrayContaining([databaseFile(directory)]) }])
  })
})
