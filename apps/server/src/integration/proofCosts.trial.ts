import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toRfqId } from '@firmquote/core'
import { afterAll, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { bytesToHex, numberToHex } from 'viem'
import { hashOf, newAuction, newAuctionQuote, newClose } from '../../test/storedQuotes.ts'
import { createSqliteStore } from '../adapters/sqliteStore/sqliteStore.ts'

// What a provable auction costs beyond another one: CPU time of all its writes, and bytes on disk.

const [auctions, atOnce] = [2_000, 50]
const quotesEach = 5
const directory = mkdtempSync(join(tmpdir(), 'firmquote-costs-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** Runs auctions and returns the microseconds of CPU time and the bytes of each. */
async function costsOf(name: string, isProvable: boolean) {
  const file = join(directory, name)
  const store = await createSqliteStore({ file, writesHere: true, pruneEvery: 1e9 })
  await store.proofs?.startLog({ origin: name, publicKey: Buffer.alloc(32), signer: `0x${'1'.repeat(40)}`, at: 0 })
  const run = async (n: number) => {
    const id = toRfqId((n + 1).toString(16).padStart(32, '0'))
    const auction = newAuction(id, { notional: 10n ** 12n, maxVrtAmount: 10n ** 12n })
    const secret = bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
    await store.openAuction({ ...auction, ...(isProvable && { secret }) })
    await Promise.all(
      Array.from({ length: quotesEach }, (_, index) => {
        const hash = numberToHex(n * quotesEach + index + 1, { size: 32 })
        const block = { number: 40_000_000n, hash: hashOf(index) }
        const quote = newAuctionQuote(index + 1, id, { notional: 10n ** 12n, salt: hash }, { hash, block })
        return store.acceptQuote(quote, auction.rfq.openedAt)
      }),
    )
    await store.closeAuction(newClose(id))
  }
  const start = process.cpuUsage()
  // Auctions at the same time share commits, as under load.
  for (let n = 0; n < auctions; n += atOnce) {
    await Promise.all(Array.from({ length: atOnce }, (_, index) => run(n + index)))
    if (isProvable) await store.proofs?.advanceLog(n)
  }
  const { user, system } = process.cpuUsage(start)
  await store.close()
  const database = new SqliteDatabase(file)
  database.pragma('wal_checkpoint(truncate)')
  database.close()
  return { micros: (user + system) / auctions, bytes: statSync(file).size / auctions }
}

test('behavior: the costs of a provable auction', async () => {
  await costsOf('warm', true)
  const plain = await costsOf('plain', false)
  const provable = await costsOf('provable', true)
  const round = ({ micros, bytes }: typeof plain) => `${Math.round(micros)} µs of CPU, ${Math.round(bytes)} bytes`
  process.stdout.write(
    `proofCosts.trial: an auction with ${quotesEach} quotes: ${round(plain)}; provable: ${round(provable)}\n`,
  )
  expect(provable.bytes - plain.bytes).toBeLessThan(1_200)
}, 300_000)
