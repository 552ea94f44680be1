import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startDevnet } from '@firmquote/devnet'
import { programOf, startProgram } from '@firmquote/test-support/startProgram'
import { folder, useFolder } from '@firmquote/test-support/testFolder'
import { closeEntry, encodeRecord, openEntry } from '@firmquote/verify'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { numberToHex, zeroHash } from 'viem'
import { createSqliteStore } from '../adapters/sqliteStore/sqliteStore.ts'

// A new monitor reads a large log from a real server. `AUCTIONS=5000000` takes six minutes.

/** An opening and a close for each auction, after the key. */
const count = 1 + 2 * Number(process.env['AUCTIONS'] ?? 100_000)
useFolder(beforeAll, afterAll)

function entryOf(position: number, at: number): Uint8Array {
  const auction = Math.floor((position - 1) / 2)
  const publicRfqId = numberToHex(auction, { size: 16 })
  const openedAt = BigInt(at + auction)
  return position % 2 === 1
    ? encodeRecord(openEntry.kind, openEntry.layout, { publicRfqId, openedAt, closesAt: openedAt, openLeaf: zeroHash })
    : encodeRecord(closeEntry.kind, closeEntry.layout, { publicRfqId, closedAt: openedAt, count: 2, root: zeroHash })
}

/** Appends entries to a stopped server's log, and builds its tree. */
async function fill(file: string, from: number): Promise<void> {
  const database = new SqliteDatabase(file)
  const insert = database.prepare('insert into log_entries (log, position, entry) values (1, ?, ?)')
  const at = Date.now() - count
  const write = database.transaction((first: number, last: number) => {
    for (let position = first; position < last; position += 1) insert.run(position, entryOf(position, at))
  })
  for (let position = from; position < count; position += 100_000) write(position, Math.min(position + 100_000, count))
  database.close()
  const store = await createSqliteStore({ file, writesHere: true })
  let size = 0
  while (size < count) size = (await store.proofs?.advanceLog(Date.now()))?.head.size ?? Number.NaN
  await store.close()
}

test(`a server with a log of ${count} entries stays small while a monitor reads all of them`, async () => {
  await using stack = new AsyncDisposableStack()
  const devnet = await startDevnet()
  stack.defer(devnet.stop)
  const environment = {
    ...{ PORT: '0', DATA_DIR: folder, RPC_URL: devnet.rpcUrl, LOG_LEVEL: 'error' },
    // The log's origin, which must not depend on the port.
    PUBLIC_WS_URL: 'wss://rfq.example.com/ws/rfq',
    ...{ HEAD_DEGRADED_SECONDS: '360000', HEAD_STALE_SECONDS: '360000' },
  }
  const start = async () => {
    const server = startProgram(programOf('server'), [], environment)
    stack.defer(() => server.stop())
    const [, url = ''] = await server.says(/^ready (http:\S+)$/m)
    const peakMiB = () =>
      Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1_024
    /** Reads the whole log, and returns the seconds it took. */
    const monitor = async () => {
      const began = performance.now()
      const state = join(folder, `monitor-${url.split(':').at(-1)}.json`)
      const reader = startProgram(
        programOf('cli'),
        ['monitor', url, '--once', '--state', state, '--timeout', '3600'],
        {},
      )
      stack.defer(() => reader.stop())
      const code = await reader.ended
      if (code !== 0) throw new TypeError(reader.output())
      return { seconds: (performance.now() - began) / 1_000, output: reader.output() }
    }
    return { server, peakMiB, monitor }
  }

  const small = await start()
  await small.monitor()
  const before = small.peakMiB()
  await small.server.stop()

  await fill(join(folder, 'firmquote.db'), 1)
  const large = await start()
  const { seconds, output } = await large.monitor()
  expect(output).toContain(`checkpoint of ${count} entries`)
  expect(output).not.toContain('ALARM')
  const after = large.peakMiB()
  process.stdout.write(
    `bigLog.trial: ${count} entries read in ${seconds.toFixed(1)} s; the server's peak memory is ${Math.round(after)} MiB, and ${Math.round(before)} MiB with one entry\n`,
  )
  // SQLite caches up to 64 MiB of pages. All entries would have 600 MB.
  expect(after - before).toBeLessThan(192)
}, 3_600_000)
