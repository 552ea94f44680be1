import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { rounds, seed } from '@firmquote/test-support/trial'
import { afterEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { canBreakDisks, compileFaultyDisk } from '../../../apps/server/test/startFaultyServer.ts'
import { expectAuctionsKept, type FollowedAuction, followAuction } from './crashAuctions.ts'
import { type CrashBackers, connectCrashBackers } from './crashBackers.ts'
import { type CrashFixture, logEntries, seriesOf, startCrashFixture } from './crashFixture.ts'
import { refusalOf, sendRaw } from './rawRequests.ts'
import { draw, table } from './rounds.ts'
import { stopAfter } from './stopAfter.ts'

// A real server's storage fails during auctions, stays unavailable past their end, and then recovers. Each fault (a
// full disk, fsync errors, another program's lock) is checked as follows. `/readyz` returns 503 within 2 s. RFQs are
// rejected with STORAGE_UNAVAILABLE. The log contains the first error once. After the fault, the server accepts RFQs
// within 5 s and has written the pending rows. All messages sent during the fault agree with the rows written
// afterwards.

const auctionMs = 2_500
const makers = 6
const auctionCount = 4
const repeats = Math.max(1, Math.ceil(rounds / 10))

const started = stopAfter(afterEach)

/** A simulated storage failure on a server, with functions to start and end it. */
type StorageFault = {
  /** The server's data directory during this fault. */
  dataFolder: string
  /** Variables added to the server's environment. */
  environment?: Record<string, string>
  begin(): void
  end(): void
  /** Cleans up after the fault. */
  remove?(): void
}

/** Sets up each fault in a folder, or returns the reason why this machine cannot simulate it. */
const storageFaults: Record<string, (folder: string) => StorageFault | string> = {
  'a full disk': fullDisk,
  'a disk that reports errors': brokenDisk,
  'a lock of another program': foreignLock,
}

/** Creates a file system of a few megabytes, which another file fills during the fault. */
function fullDisk(folder: string): StorageFault | string {
  const mount = join(folder, 'small')
  mkdirSync(mount)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m,mode=700', 'tmpfs', mount], { stdio: 'pipe' })
  } catch {
    return 'a small file system cannot be mounted here'
  }
  const filler = join(mount, 'filler')
  return {
    dataFolder: join(mount, 'data'),
    begin() {
      const file = openSync(filler, 'w')
      const block = Buffer.alloc(4_096)
      try {
        for (;;) writeSync(file, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    end: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync('umount', ['--lazy', mount], { stdio: 'pipe' }),
  }
}

/** Makes fsync fail with EIO while a file exists. */
function brokenDisk(folder: string): StorageFault | string {
  const marker = join(folder, 'fsync')
  if (!canBreakDisks) return 'the C compiler cc is not installed'
  return {
    dataFolder: join(folder, 'data'),
    environment: { LD_PRELOAD: compileFaultyDisk(folder), FAULTS: folder },
    begin: () => writeFileSync(marker, ''),
    end: () => rmSync(marker, { force: true }),
  }
}

/** Another program holds the write lock of the database. */
function foreignLock(folder: string): StorageFault | string {
  const dataFolder = join(folder, 'data')
  let other: DatabaseSync | undefined
  return {
    dataFolder,
    begin() {
      const file = join(dataFolder, 'firmquote.db')
      if (!existsSync(file)) throw new TypeError(`There is no ${file}.`)
      other = new DatabaseSync(file, { timeout: 5_000 })
      other.exec('BEGIN IMMEDIATE')
    },
    // Rolls back the program's transaction.
    end() {
      other?.close()
      other = undefined
    },
  }
}

/** Measures the milliseconds until `/readyz` returns this status. */
async function readyzTurns({ url }: CrashFixture, status: number, withinMs: number): Promise<number> {
  const began = performance.now()
  for (;;) {
    const answer = await sendRaw(`${url}/readyz`)
    const passed = performance.now() - began
    if (answer.status === status) return passed
    if (passed > withinMs + 1_000)
      throw new TypeError(`/readyz did not return ${status} within ${Math.round(passed)} ms.`)
    await sleep(20)
  }
}

const askRaw = async (fixture: CrashFixture) =>
  refusalOf(
    await sendRaw(`${fixture.url}/api/v1/rfq/quote/stream`, { body: { ...seriesOf(fixture), notional: '1000000000' } }),
  )

async function playFault(fixture: CrashFixture, backers: CrashBackers, fault: StorageFault, faultSeed: number) {
  const plan = draw(
    fc.record({
      answers: table(fc.nat(auctionMs), makers, auctionCount),
      beginAfter: fc.integer({ min: 100, max: 1_500 }),
    }),
    faultSeed,
  )
  backers.plan(plan.answers)
  const auctions: FollowedAuction[] = Array.from({ length: auctionCount }, () => followAuction(fixture))
  while (auctions.some(({ startedAt }) => startedAt === null)) await sleep(10)
  await sleep(plan.beginAfter)

  const faultsBefore = logEntries(fixture.current(), 'failed to write to the database').length
  fault.begin()
  // Without requests, the server writes only its probes and the auctions' rows. An RFQ ensures that the server attempts
  // a write.
  const asking = askRaw(fixture)
  const downMs = await readyzTurns(fixture, 503, 2_000)
  expect(downMs).toBeLessThanOrEqual(2_000)
  expect(await askRaw(fixture)).toBe('STORAGE_UNAVAILABLE')
  // Waits until all auctions have ended.
  const lastClose = Math.max(...auctions.map(({ closesAt }) => closesAt ?? 0))
  await sleep(Math.max(0, lastClose + 1_500 - Date.now()))
  expect(await askRaw(fixture)).toBe('STORAGE_UNAVAILABLE')
  const inFlight = backers.inFlight().length
  const unwritten = auctions.filter(({ events }) => events.at(-1)?.event.type !== 'done').length
  fault.end()
  const upMs = await readyzTurns(fixture, 200, 5_000)
  expect(upMs).toBeLessThanOrEqual(5_000)
  const endedAt = Date.now()
  await asking

  await Promise.all(auctions.map(({ ended }) => ended))
  const writtenMs = Date.now() - endedAt
  await expectAuctionsKept(fixture, backers, auctions)
  expect(unwritten).toBe(auctionCount)
  expect(writtenMs).toBeLessThanOrEqual(5_000)
  expect(await askRaw(fixture)).toBeNull()

  const faults = logEntries(fixture.current(), 'failed to write to the database').slice(faultsBefore)
  expect(faults).toHaveLength(1)
  const [first] = faults
  return { downMs, upMs, writtenMs, inFlight, error: (first?.['err'] as { message?: string } | undefined)?.message }
}

describe.each(Object.keys(storageFaults))('%s', (name) => {
  test(
    'behavior: rejects new auctions and loses none of those open',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'firmquote-fault-'))
      started({ stop: () => rmSync(folder, { recursive: true, force: true }) })
      const fault = storageFaults[name]?.(folder)
      if (typeof fault !== 'object') {
        process.stdout.write(`storageFaults.trial: ${name}: not played, ${fault}\n`)
        return
      }
      const { dataFolder, environment, remove = () => {} } = fault
      started({ stop: remove })
      const settings = { AUCTION_DURATION_MS: String(auctionMs), LOG_LEVEL: 'info', ...environment }
      const fixture = started(await startCrashFixture({ makers, dataFolder, settings }))
      started({ stop: fault.end })
      await fixture.start()
      const backers = started(await connectCrashBackers(fixture))
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        const figures = await playFault(fixture, backers, fault, seed + repeat)
        process.stdout.write(`storageFaults.trial: ${name}, --seed ${seed}: ${JSON.stringify(figures)}\n`)
      }
    },
    60_000 + 30_000 * repeats,
  )
})
