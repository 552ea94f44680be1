import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toRfqId } from '@firmquote/core'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import SqliteDatabase from 'better-sqlite3'
import { hashOf, maker, newAuction, newAuctionQuote, newQuote, now, runAuction } from '../../../test/storedQuotes.ts'
import type { Store } from '../../ports/store.ts'
import { selectAuctionsOfMaker, selectOfMaker } from '../sqlStore/auctions/makerRows.ts'
import { createSqliteStore } from './sqliteStore.ts'

const directory = mkdtempSync(join(tmpdir(), 'firmquote-makers-'))
const file = join(directory, 'data', 'firmquote.db')
const quoteCount = 1_002
let store: Store

beforeAll(async () => {
  store = await createSqliteStore({ file })
  // Only the two oldest quotes are active, and the first page does not reach them.
  const quotes = Array.from({ length: quoteCount }, (_, index) =>
    newQuote(index + 1, { deadline: index < 2 ? now + 500n : now + 60n }),
  )
  await Promise.all(quotes.map((quote) => store.insertQuote(quote)))
}, 60_000)
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

describe('listMakerQuotes', () => {
  test('behavior: a filter without matches examines a thousand quotes and returns a cursor', async () => {
    const filters = { status: 'active', limit: 100 } as const
    const first = await store.listMakerQuotes(maker, filters, now + 61n)
    expect(first.quotes).toEqual([])
    expect(first.nextCursor).not.toBeNull()
    const second = await store.listMakerQuotes(maker, { ...filters, cursor: first.nextCursor ?? '' }, now + 61n)
    expect(second.quotes.map(({ hash }) => hash)).toEqual([hashOf(2), hashOf(1)])
    expect(second.nextCursor).toBeNull()
  })
})

describe('listMakerAuctions', () => {
  test('behavior: a page ends where its auctions have 5,000 quotes', async () => {
    for (let n = 1; n <= 3; n += 1) {
      const id = toRfqId(n.toString(16).padStart(32, '0'))
      await runAuction(store, newAuction(id), [newAuctionQuote(10_000 + n, id, { maker })])
    }
    const database = new SqliteDatabase(file)
    for (const [each, expected] of [
      [2_500, [2, 1]],
      [2_501, [1, 1, 1]],
      [5_001, [1, 1, 1]],
    ] as const) {
      database.prepare('update auctions set last_seq = ?').run(each)
      const lengths: number[] = []
      let cursor: string | null = null
      do {
        const page = await store.listMakerAuctions(maker, cursor === null ? {} : { cursor })
        lengths.push(page.auctions.length)
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(lengths).toEqual(expected)
    }
    database.close()
  })
})

test("behavior: a maker's lists use their indexes", () => {
  const database = new SqliteDatabase(file)
  const plan = ({ sqlite }: { sqlite: { sql: string } | null }) =>
    database
      .prepare(`explain query plan ${sqlite?.sql}`)
      .all(...Array((sqlite?.sql ?? '').split('?').length - 1).fill(0))
      .map((row) => (row as { detail: string }).detail)
  const [quotes, ...others] = plan(selectOfMaker)
  expect(quotes).toMatch(/^SEARCH quotes USING INDEX quotes_by_maker \(<expr>=\? AND created_at</)
  const auctions = plan(selectAuctionsOfMaker)
  expect(auctions).toEqual([
    expect.stringMatching(/^SEARCH own USING COVERING INDEX auction_quotes_maker \(maker=\? AND auction_id<\?\)$/),
    expect.stringMatching(/^SEARCH auctions USING INTEGER PRIMARY KEY/),
  ])
  for (const step of others) expect(step).not.toMatch(/SCAN|B-TREE/)
  database.close()
})
