// Tests real disk failures: a full file system, a failing sync, and a lock held by another process. Two tests require
// permission to mount, or a C compiler on Linux.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, linkSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openSqlite } from '@firmquote/node-runtime/openSqlite'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { canBreakDisks, compileFaultyDisk } from '../../../test/startFaultyServer.ts'
import { closedRecord, newAuction, newAuctionQuote, newClose, openedAt, rfqId } from '../../../test/storedQuotes.ts'
import { waitUntil } from '../../../test/waitUntil.ts'
import { ConfigurationError, OutcomeUnknownError, StorageUnavailableError } from '../../ports/errors.ts'
import type { Store } from '../../ports/store.ts'
import { migrations } from './migrations.ts'
import { openOwnedStore } from './openOwnedStore.ts'
import { createSqliteStore } from './sqliteStore.ts'

/** Maximum milliseconds between the end of a fault and the store's next successful write. */
const recoveryMs = 5_000

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'firmquote-disk-'))
})
afterEach(() => {
  spawnSync('umount', [join(directory, 'small')])
  rmSync(directory, { recursive: true, force: true })
})

const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount()

function tryMount(): boolean {
  const trial = mkdtempSync(join(tmpdir(), 'firmquote-mount-'))
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', trial]).status === 0
  if (isMounted) spawnSync('umount', [trial])
  rmSync(trial, { recursive: true, force: true })
  return isMounted
}

const failure = (of: Promise<unknown>): Promise<unknown> =>
  of.then(
    () => 'done',
    (error) => error,
  )

describe('a failing disk', () => {
  test('behavior: nothing is stored in a removed file, and the store recovers once the file is back', async () => {
    const [data, away] = [join(directory, 'data'), join(directory, 'away')]
    const store = await openOwnedStore(data)
    await store.openAuction(newAuction())
    renameSync(data, away)
    await expect(store.acceptQuote(newAuctionQuote(1), openedAt)).rejects.toThrow(/removed or replaced/)
    await expect(store.ping()).rejects.toThrow(StorageUnavailableError)
    // The store must detect that the path now refers to a different file.
    cpSync(away, data, { recursive: true })
    await expect(store.probe()).rejects.toThrow(StorageUnavailableError)
    rmSync(data, { recursive: true })
    renameSync(away, data)
    await expect(store.ping()).resolves.toBeUndefined()
    expect(await store.acceptQuote(newAuctionQuote(1), openedAt)).toMatchObject({ status: 'accepted', seq: 1 })
    await store.close()
  })

  test.each([
    [
      'firmquote.db-wal',
      /firmquote\.db-wal was removed or replaced .*; put the original file back, or stop the server/,
    ],
    ['owner.db', /^The lock .*owner\.db was removed or replaced, so a second server .*, then restart this one\.$/],
  ])('error: %s is removed', async (name, message) => {
    const store = await openOwnedStore(join(directory, 'data'))
    await store.openAuction(newAuction())
    await expect(store.ping()).resolves.toBeUndefined()
    rmSync(join(directory, 'data', name))
    await expectRefused(store, message)
    await store.close()
  })

  test('error: a hard link, until it is removed; a server with one does not start', async () => {
    const [data, link] = [join(directory, 'data'), join(directory, 'link.db')]
    const store = await openOwnedStore(data)
    await store.openAuction(newAuction())
    linkSync(join(data, 'firmquote.db'), link)
    const message = /^The database .*firmquote\.db has a second name \(a hard link\).*; find the other name with "find /
    await expectRefused(store, message)
    rmSync(link)
    expect(await store.acceptQuote(newAuctionQuote(1), openedAt)).toMatchObject({ status: 'accepted' })
    await store.close()
    linkSync(join(data, 'firmquote.db'), link)
    const starting = openOwnedStore(data)
    await expect(starting).rejects.toThrow(ConfigurationError)
    await expect(starting).rejects.toThrow(message)
  })

  ;(canMount ? test : test.skip)('behavior: full: nothing is stored, and the store recovers on its own', async () => {
    const small = join(directory, 'small')
    mkdirSync(small)
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', small]).status).toBe(0)
    const store = await createSqliteStore({ file: join(small, 'firmquote.db') })
    await store.openAuction(newAuction())
    await store.acceptQuote(newAuctionQuote(1), openedAt)
    const ballast = join(small, 'ballast')
    fill(ballast)
    // The file system's last page still has room for some quotes.
    let [n, refusal]: [number, unknown] = [1, 'done']
    while (refusal === 'done' && n < 1_000) {
      n += 1
      refusal = await failure(store.acceptQuote(newAuctionQuote(n), openedAt))
    }
    expect(refusal).toBeInstanceOf(StorageUnavailableError)
    expect(refusal).not.toBeInstanceOf(OutcomeUnknownError)
    const accepted = Array.from({ length: n - 1 }, (_, index) => newAuctionQuote(index + 1))
    expect(await store.findAuction({ rfqId })).toMatchObject({ quotes: { length: n - 1 }, close: null })
    await expect(store.ping()).resolves.toBeUndefined()
    rmSync(ballast)
    expect(await waitUntil(() => store.probe().then(() => true))).toBeLessThan(recoveryMs)
    const refused = newAuctionQuote(n)
    expect(await store.acceptQuote(refused, openedAt)).toMatchObject({ status: 'accepted', seq: n })
    expect(await store.closeAuction(newClose())).toEqual({
      closedNow: true,
      auction: closedRecord(newAuction(), [...accepted, refused]),
    })
    await store.close()
  })

  ;(canBreakDisks ? test : test.skip)(
    'behavior: failing to sync: outcomes are unknown until the call is repeated',
    async () => {
      const { faults, run } = faultyProcess()
      const { lines, ended } = run(`
      const store = await openOwnedStore(data)
      await store.openAuction(newAuction())
      await store.acceptQuote(newAuctionQuote(1), openedAt)
      fault('fsync')
      say(await outcome(store.acceptQuote(newAuctionQuote(2), openedAt)))
      say(await outcome(store.closeAuction(newClose())))
      say(await outcome(store.probe()))
      say((await store.findAuction({ rfqId })).quotes.length)
      heal('fsync')
      say(await waitUntil(() => store.probe().then(() => true)))
      say(await outcome(store.acceptQuote(newAuctionQuote(2), openedAt)))
      fault('fsync')
      say(await outcome(store.acceptQuote(newAuctionQuote(3), openedAt)))
      process.kill(process.pid, 'SIGKILL')`)
      expect(await ended).toBe(null)
      const [accept, close, probe, visible, recovery, again, last] = await lines
      expect([accept, close, probe, visible]).toEqual([
        'OutcomeUnknownError',
        'OutcomeUnknownError',
        'OutcomeUnknownError',
        1,
      ])
      expect(recovery).toBeLessThan(recoveryMs)
      expect([again, last]).toEqual(['accepted 2', 'OutcomeUnknownError'])
      expect(faults).toBeTruthy()
      // A write with an unknown outcome may have been stored; repeating it returns the same answer either way.
      const store = await openOwnedStore(join(directory, 'data'))
      expect((await store.findAuction({ rfqId }))?.quotes.slice(0, 2).map(({ seq }) => seq)).toEqual([1, 2])
      expect(await store.acceptQuote(newAuctionQuote(3), openedAt)).toMatchObject({ status: 'accepted', seq: 3 })
      expect((await store.findAuction({ rfqId }))?.quotes.map(({ hash }) => Number(hash))).toEqual([1, 2, 3])
      await store.close()
    },
  )

  ;(canBreakDisks ? test : test.skip)(
    'behavior: rejecting writes: refused, not unknown, and the store recovers on its own',
    async () => {
      const { run } = faultyProcess()
      const { lines, ended } = run(`
      const store = await openOwnedStore(data)
      await store.openAuction(newAuction())
      await store.acceptQuote(newAuctionQuote(1), openedAt)
      fault('full')
      say(await Promise.all([2, 3, 4].map((n) => outcome(store.acceptQuote(newAuctionQuote(n), openedAt)))))
      say(await outcome(store.probe()))
      heal('full')
      say(await waitUntil(() => store.probe().then(() => true)))
      say(await outcome(store.acceptQuote(newAuctionQuote(3), openedAt)))
      await store.closeAuction(newClose())
      say((await store.findAuction({ rfqId })).quotes.map(({ hash }) => Number(hash)))
      await store.close()`)
      expect(await ended).toBe(0)
      const [accepts, probe, recovery, again, kept] = await lines
      expect(accepts).toEqual(Array(3).fill('StorageUnavailableError'))
      expect(probe).toBe('StorageUnavailableError')
      expect(recovery).toBeLessThan(recoveryMs)
      expect([again, kept]).toEqual(['accepted 2', [1, 3]])
    },
  )

  ;(canBreakDisks ? test : test.skip)(
    'error: a disk that is full during an upgrade or at the start is named, and nothing changes',
    async () => {
      const file = join(directory, 'data', 'firmquote.db')
      const last = Object.keys(migrations).at(-1)
      const old = Object.fromEntries(Object.entries(migrations).slice(0, -1))
      const options = { setting: 'DATA_DIR', timeoutMs: 100, pragmas: [], migrations: old }
      ;(await openSqlite(file, options)).database.close()
      const { lines, ended } = faultyProcess().run(
        `
      const message = (log) => openOwnedStore(data, { log }).catch((error) => error.shortMessage)
      // The upgrade logs its start.
      say(await message({ warn() {}, info: () => fault('full') }))
      say(await message())
      heal('full')
      await (await openOwnedStore(data)).close()
      say('upgraded')`,
      )
      expect(await ended).toBe(0)
      expect(await lines).toEqual([
        expect.stringMatching(
          new RegExp(
            `cannot be migrated: its disk is full \\(during ${last}\\); free at least 1 MB on it, then start again\\. The database is unchanged\\.$`,
          ),
        ),
        expect.stringMatching(/cannot be opened: its disk is full; free space on it, or change DATA_DIR\.$/),
        'upgraded',
      ])
    },
  )

  test('behavior: while another process holds a lock, pending writes are rejected together, and the store recovers', async () => {
    const file = join(directory, 'firmquote.db')
    const store = await createSqliteStore({ file })
    await store.openAuction(newAuction())
    const other = spawn(
      process.execPath,
      [
        '-e',
        `const Database = require(${JSON.stringify(betterSqlite())})
        const database = new Database(${JSON.stringify(file)})
        database.exec('begin immediate; insert into identity values (1, 1)')
        process.stdout.write('locked')
        setInterval(() => {}, 1e6)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(other.stdout, 'data')
    const start = performance.now()
    const refusals = await Promise.all(
      Array.from({ length: 200 }, (_, n) => failure(store.acceptQuote(newAuctionQuote(n), openedAt))),
    )
    // If the writes ran sequentially, each would wait for a second.
    expect(performance.now() - start).toBeLessThan(10_000)
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(StorageUnavailableError)
      expect(refusal).not.toBeInstanceOf(OutcomeUnknownError)
    }
    expect((await store.findAuction({ rfqId }))?.quotes).toEqual([])
    other.kill('SIGKILL')
    await once(other, 'close')
    expect(await waitUntil(() => store.probe().then(() => true))).toBeLessThan(recoveryMs)
    expect(await store.acceptQuote(newAuctionQuote(1), openedAt)).toMatchObject({ seq: 1 })
    await store.close()
  })
})

/** Expects that writes, the reads that every second makes and the health check fail, each with the same sentence. */
async function expectRefused(store: Store, shortMessage: RegExp): Promise<void> {
  const calls = [() => store.acceptQuote(newAuctionQuote(1), openedAt), store.listOpenAuctions, store.ping]
  for (const call of calls) {
    const refusal = { name: 'StorageUnavailableError', shortMessage: expect.stringMatching(shortMessage) }
    await expect(call()).rejects.toMatchObject(refusal)
  }
}

/** Fills up the file system. */
function fill(file: string): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(4096), { flag: 'a' })
  } catch {
    expect(statSync(file).size).toBeGreaterThan(0)
  }
}

function betterSqlite(): string {
  return fileURLToPath(import.meta.resolve('better-sqlite3'))
}

/** Compiles the library that makes the disk fail, and runs scripts against a store that uses it. */
function faultyProcess() {
  const faults = join(directory, 'faults')
  mkdirSync(faults)
  const library = compileFaultyDisk(directory)
  const url = (path: string) => JSON.stringify(String(new URL(path, import.meta.url)))
  const run = (script: string) => {
    const program = `
      import { rmSync, writeFileSync } from 'node:fs'
      import { openOwnedStore } from ${url('./openOwnedStore.ts')}
      import { newAuction, newAuctionQuote, newClose, openedAt, rfqId } from ${url('../../../test/storedQuotes.ts')}
      import { waitUntil } from ${url('../../../test/waitUntil.ts')}
      const data = ${JSON.stringify(join(directory, 'data'))}
      const faults = ${JSON.stringify(faults)}
      const fault = (name) => writeFileSync(faults + '/' + name, '')
      const heal = (name) => rmSync(faults + '/' + name)
      const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
      const outcome = (of) => of.then((answer) => answer ? answer.status + ' ' + answer.seq : 'done', (error) => error.name)
      ${script}`
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      env: { ...process.env, LD_PRELOAD: library, FAULTS: faults },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += String(chunk)
    })
    const ended = once(child, 'close').then(([code]) => code as number | null)
    const lines = ended.then(() =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    return { lines, ended }
  }
  return { faults, run }
}
