import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeEntry, closeLeaf, hashLeaf, keyEntry, openEntry, rootOf } from '@firmquote/verify'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { bytesToHex } from 'viem'
import {
  closesAt,
  hashOf,
  newAuction,
  newAuctionQuote,
  newClose,
  openedAt,
  rfqId,
  runAuction,
} from '../../../test/storedQuotes.ts'
import {
  acceptedQuoteLeaf,
  closingEntry,
  hashTranscriptLeaf,
  openingEntry,
  transcriptOf,
} from '../../domain/transcript.ts'
import type { ProofStore, Store } from '../../ports/store.ts'
import { acceptQuote } from '../sqlStore/auctions/acceptedQuoteRows.ts'
import { closeProvableAuction, openProvableAuction } from '../sqlStore/proofs/auctionProofRows.ts'
import { advanceLog } from '../sqlStore/proofs/logRows.ts'
import { prepareQuery } from '../sqlStore/sql/preparedQuery.ts'
import { ask, runAll, type Script } from '../sqlStore/sql/script.ts'
import { openDatabase } from './openDatabase.ts'
import { createSqliteStore } from './sqliteStore.ts'

const secret = `0x${'5e'.repeat(32)}` as const
const auction = { ...newAuction(), secret }
const block = { number: 40_000_000n, hash: hashOf(9) }
const quotes = [
  newAuctionQuote(2, rfqId, {}, { block }),
  newAuctionQuote(1, rfqId, {}, { block: { ...block, number: 40_000_001n } }),
]
const first = {
  origin: 'rfq.example.com/log/1',
  publicKey: Buffer.alloc(32, 1),
  signer: `0x${'ab'.repeat(20)}`,
  at: openedAt,
} as const

let directory: string
let store: Store & { proofs: ProofStore }
const open = async () => {
  const opened = await createSqliteStore({ file: join(directory, 'firmquote.db'), writesHere: true, pruneEvery: 1 })
  if (!opened.proofs) throw new TypeError('The store has no proofs.')
  store = { ...opened, proofs: opened.proofs }
}
const entries = async () => store.proofs.listEntries(1, 0, 1_000)

describe('provable auctions', () => {
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'firmquote-proofs-'))
    await open()
    await store.proofs.startLog(first)
  })
  afterEach(async () => {
    await store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  test("default: the log has the key, the auction's opening and its close, which the record reproduces after a restart", async () => {
    await runAuction(store, auction, quotes)
    const before = await store.proofs.findAuction({ rfqId })
    await store.close()
    await open()
    const found = await store.proofs.findAuction({ publicRfqId: auction.publicRfqId })
    expect(found).toEqual(before)
    expect(found).toMatchObject({ secret, open: { log: 1, position: 1 }, close: { log: 1, position: 2 } })
    expect(found?.auction.quotes.map((quote) => quote.block)).toEqual(quotes.map((quote) => quote.block))
    if (!found?.close || !found.auction.close) throw new TypeError('The auction is open.')
    const leaves = transcriptOf(found.auction, secret, found.close.record).map(hashTranscriptLeaf)
    expect(leaves).toHaveLength(4)
    const [key, opening, close] = await entries()
    expect([key?.[0], opening?.[0], close?.[0]]).toEqual([keyEntry.kind, openEntry.kind, closeEntry.kind])
    expect(opening).toEqual(Buffer.from(openingEntry(auction, secret)))
    expect(close).toEqual(Buffer.from(closingEntry(auction, found.auction.close, leaves)))
  })

  test('behavior: repeated writes append nothing, and change no block', async () => {
    await store.openAuction(auction)
    await store.openAuction(auction)
    const [accepted] = await Promise.all(quotes.map((quote) => store.acceptQuote(quote, openedAt)))
    expect(accepted).toMatchObject({ status: 'accepted', seq: 1, leaf: expect.any(String) })
    const again = { ...newAuctionQuote(2), block: { ...block, hash: hashOf(8) } }
    expect(await store.acceptQuote(again, openedAt)).toMatchObject({ status: 'accepted', seq: 1 })
    const closed = await store.closeAuction(newClose())
    expect(closed?.auction.best).toBeDefined()
    expect(await store.closeAuction(newClose())).toMatchObject({ closedNow: false })
    expect(await entries()).toHaveLength(3)
    const found = await store.proofs.findAuction({ rfqId })
    expect(found?.auction.quotes[0]?.block).toEqual(block)
  })

  test('behavior: the leaf has the signature that the quote was first stored with', async () => {
    const [quote] = quotes
    if (!quote) throw new TypeError('There is no quote.')
    const { hash, apr } = quote
    await store.insertQuote({ hash, quote: { ...quote.quote, signature: '0x11' }, apr, createdAt: openedAt })
    await runAuction(store, auction, [quote])
    const found = await store.proofs.findAuction({ rfqId })
    const [stored] = found?.auction.quotes ?? []
    if (!stored) throw new TypeError('The quote was not stored.')
    expect(stored.quote.signature).toBe('0x11')
    const leaf = bytesToHex(hashTranscriptLeaf(acceptedQuoteLeaf(stored, secret)))
    expect(await store.proofs.findLeaf(auction.publicRfqId, quote.quote.maker)).toEqual({
      quote: hash,
      leaf: { seq: 1, hash: leaf },
    })
  })

  test.each([
    ['is used if the auction has no other rows', 2, 'ab'],
    ['is ignored otherwise', 1, closeLeaf.kind.toString(16)],
  ])('behavior: a given ending %s', async (_what, knownCount, kind) => {
    await store.openAuction(auction)
    for (const quote of quotes) await store.acceptQuote(quote, openedAt)
    const ending = { record: Buffer.from('ab', 'hex'), best: { hashes: [], notional: 7n, cost: 0n } }
    const closed = await store.closeAuction(newClose(rfqId, { knownCount, ending }))
    const found = await store.proofs.findAuction({ rfqId })
    const record = Buffer.from(found?.close?.record ?? []).toString('hex')
    expect([record.slice(0, 2), closed?.auction.best?.notional === 7n]).toEqual([kind, kind === 'ab'])
  })

  test('behavior: the close returns only unknown rows, but commits to all', async () => {
    await store.openAuction(auction)
    for (const quote of quotes) await store.acceptQuote(quote, openedAt)
    const closed = await store.closeAuction(newClose(rfqId, { knownCount: 1 }))
    expect(closed?.auction.quotes.map(({ seq }) => seq)).toEqual([2])
    expect(Buffer.from((await entries())[2] ?? []).readUInt32BE(25)).toBe(4)
  })

  test('behavior: an early close appends nothing; neither does an auction without a secret', async () => {
    await store.openAuction(auction)
    expect(await store.closeAuction(newClose(rfqId, { at: closesAt - 1 }))).toBeNull()
    expect(await entries()).toHaveLength(2)
    expect((await store.proofs.findAuction({ rfqId }))?.close).toBeNull()
    await store.closeAuction(newClose())
    const { secret: _, ...plain } = { ...newAuction('cd'.repeat(16) as typeof rfqId), secret }
    await runAuction(store, plain, [newAuctionQuote(3, plain.rfq.rfqId, {}, { block })])
    expect(await entries()).toHaveLength(3)
    expect(await store.proofs.findAuction({ rfqId: plain.rfq.rfqId })).toBeNull()
  })

  test("behavior: pruning an auction overwrites its secret, and keeps the log's entries", async () => {
    await runAuction(store, auction, quotes)
    const onDisk = () => {
      const database = new SqliteDatabase(join(directory, 'firmquote.db'))
      database.pragma('wal_checkpoint(truncate)')
      database.close()
      return readFileSync(join(directory, 'firmquote.db')).includes(Buffer.from(secret.slice(2), 'hex'))
    }
    expect(onDisk()).toBe(true)
    const late = newAuction('cd'.repeat(16) as typeof rfqId, { openedAt: openedAt + 40 * 86_400_000 })
    await store.openAuction(late)
    expect(await store.findAuction({ rfqId })).toBeNull()
    expect(onDisk()).toBe(false)
    expect(await entries()).toHaveLength(3)
  })

  test('behavior: the tree advances to all entries, in order', async () => {
    expect(await store.proofs.findLog()).toMatchObject({ head: { size: 0 }, entries: 1 })
    await runAuction(store, auction, quotes)
    const log = await store.proofs.advanceLog(5)
    const hashes = (await entries()).map(hashLeaf)
    expect(log).toMatchObject({ origin: first.origin, signer: first.signer, head: { size: 3, at: 5 }, entries: 3 })
    expect(bytesToHex(log?.head.root ?? new Uint8Array())).toBe(bytesToHex(rootOf(hashes)))
    expect(await store.proofs.findTile(1, 0, 0)).toEqual(Buffer.concat(hashes))
    // Without new entries, the head stays.
    const later = { ...log, seenAt: 6 }
    expect([log?.seenAt, await store.proofs.advanceLog(6)]).toEqual([5, later])
    expect(await store.proofs.findLog()).toEqual(later)
    expect(await store.proofs.startLog({ ...first, origin: 'other' })).toEqual(later)
  })

  test('error: a changed tile or head stops the log, and entries cannot be changed', async () => {
    await runAuction(store, auction, quotes)
    await store.proofs.advanceLog(5)
    const database = new SqliteDatabase(join(directory, 'firmquote.db'))
    for (const change of ['update log_entries set entry = entry', 'delete from log_entries']) {
      expect(() => database.exec(change)).toThrow('the log is append-only')
    }
    await runAuction(store, { ...newAuction('cd'.repeat(16) as typeof rfqId), secret }, [])
    for (const [change, undo] of [
      ['update log_tiles set hashes = cast(zeroblob(32) || substr(hashes, 33) as blob)', 'tile'],
      ['update logs set root = zeroblob(32)', 'root'],
      ['update logs set size = 2', 'size'],
    ] as const) {
      database.exec(
        `create table kept_${undo} as select * from log_tiles; create table kept_log_${undo} as select * from logs`,
      )
      database.exec(change)
      expect([change, await store.proofs.advanceLog(6)]).toEqual([change, null])
      database.exec(`update log_tiles set hashes = (select hashes from kept_${undo});
        update logs set (size, root) = (select size, root from kept_log_${undo})`)
    }
    database.close()
    expect(await store.proofs.advanceLog(7)).toMatchObject({ head: { size: 5 } })
  })

  test('behavior: a write that ends at any statement leaves nothing, and the log continues', async () => {
    const database = await openDatabase({ file: join(directory, 'firmquote.db'), cacheMiB: 1 })
    const stored = () => JSON.stringify(database.run(tables()))
    let deaths = 0
    /** Repeats a write, which dies one statement later each time. */
    const endure = <Result>(write: () => Script<Result>): Result => {
      for (let statements = 0; ; statements += 1) {
        const before = stored()
        try {
          return database.transact(() => database.run(dieAfter(statements, write())))
        } catch (error) {
          if (!(error instanceof RangeError)) throw error
          deaths += 1
          expect(stored()).toBe(before)
        }
      }
    }
    endure(() => openProvableAuction(auction))
    endure(() => advanceLog(1))
    for (const quote of quotes) endure(() => acceptQuote({ quote, at: openedAt }))
    endure(() => closeProvableAuction(newClose()))
    const log = endure(() => advanceLog(2))
    database.close()
    expect(deaths).toBeGreaterThan(30)
    expect(log?.head).toEqual({ size: 3, root: Buffer.from(rootOf((await entries()).map(hashLeaf))), at: 2 })
  })
})

/** Everything that the log and its auctions consist of. */
function* tables(): Script<unknown[][]> {
  return yield* runAll(selectAll.map((query) => ask(query)))
}

const selectAll = (['logs', 'log_entries', 'log_tiles', 'auction_proofs', 'auctions', 'auction_quotes'] as const).map(
  (table) => prepareQuery((on) => on.selectFrom(table).selectAll()),
)

/** Runs a number of a script's statements, then throws, as if the process had ended. */
function* dieAfter<Result>(statements: number, script: Script<Result>): Script<Result> {
  let step = script.next()
  for (let left = statements; !step.done; left -= 1) {
    if (left === 0) throw new RangeError('The process has ended.')
    step = script.next(yield step.value)
  }
  return step.value
}
