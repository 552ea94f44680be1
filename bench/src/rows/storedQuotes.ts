import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { QuoteFilters } from '@firmquote/core'
import type SqliteDatabase from 'better-sqlite3'
import { priceOf } from '../../../apps/server/src/domain/rateOrder.ts'
import { encodeQuotePage } from '../../../apps/server/src/entry/http/responses/encodeQuotePage.ts'
import type { Store } from '../../../apps/server/src/ports/store.ts'
import { alternate, inRounds } from '../compare.ts'
import { type Figure, figureOf, ratioOf } from '../figures.ts'
import {
  type FilledStore,
  fillFile,
  insertInto,
  openFilledStore,
  sampleNow,
  samplePair,
  sampleQuote,
} from '../fixture/filledStore.ts'
import type { Row, RowContext } from '../row.ts'

const [few, many] = [1_000, 1_000_000]
const groupSize = 64
const groups = 16
const readsPerRound = 500
const pagesPerRound = 500
const comparedPages = 200

/**
 * Cost per quote as the store grows: grouped inserts, a look-up by hash, and a page of the 50 best quotes. At the
 * largest size, the page is compared with one built from columns.
 */
export const storedQuotes: Row = {
  id: 'stored-quotes',
  about: 'cost of a quote with 1,000 and 1,000,000 stored, and a page of 50 against one built from columns',
  async run(context) {
    const measureAt = async (size: number) => {
      context.progress(`filling a store with ${size} quotes`)
      await using filled = await openFilledStore(size)
      const pages = size === many ? await comparePages(context, filled, size) : { columns: [], ours: [] }
      return { pages, costs: await measureCosts(context, filled.store, size) }
    }
    const [{ costs: base }, { costs, pages }] = [await measureAt(few), await measureAt(many)]
    const growth = (which: Operation): Figure => {
      const baseline = figureOf(base.map((cost) => cost[which] ?? Number.NaN)).median
      return ratioOf(
        costs.map((cost) => cost[which] ?? Number.NaN),
        costs.map(() => baseline),
        'µs',
      )
    }
    return {
      quotePage: ratioOf(pages.columns, pages.ours, 'µs'),
      insertGrowth: growth('insert'),
      lookUpGrowth: growth('lookUp'),
      pageGrowth: growth('best'),
      bestOfPoolGrowth: growth('bestOfPool'),
      newestGrowth: growth('newest'),
      expiringGrowth: growth('expiring'),
      sizedGrowth: growth('sized'),
      makerGrowth: growth('maker'),
    }
  },
}

/** The filters of each list, derived from quote `n`. */
const lists = {
  best: (n) => ({ ...samplePair(n), sort: 'rate' }),
  bestOfPool: (n) => ({ poolId: samplePair(n).poolId, sort: 'rate' }),
  newest: () => ({}),
  expiring: () => ({ sort: 'deadline' }),
  sized: (n) => ({ ...samplePair(n), sort: 'rate', minNotional: 1n, maxNotional: 2n ** 100n }),
  maker: (n) => ({ maker: sampleQuote(n).quote.maker }),
} satisfies Record<string, (n: number) => QuoteFilters>

type Operation = 'insert' | 'lookUp' | keyof typeof lists

/** Measures the duration of each operation in each round, in microseconds. */
async function measureCosts(
  context: RowContext,
  store: Store,
  size: number,
): Promise<Partial<Record<Operation, number>>[]> {
  let stored = size
  return await inRounds(context, async () => {
    const fresh = Array.from({ length: groups * groupSize }, (_, n) => sampleQuote(stored + n))
    const group = await timeEach(groups, (n) =>
      Promise.all(fresh.slice(n * groupSize, (n + 1) * groupSize).map((quote) => store.insertQuote(quote))),
    )
    stored += fresh.length
    const hashes = Array.from({ length: readsPerRound }, (_, n) => sampleQuote((n * 7_919) % stored).hash)
    const lookUp = await timeEach(readsPerRound, (n) => store.findQuote(hashes[n] ?? '0x'))
    const costs: Partial<Record<Operation, number>> = { insert: group / groupSize, lookUp }
    for (const [name, filtersOf] of Object.entries(lists)) {
      costs[name as Operation] = await timeEach(pagesPerRound, (n) => store.listQuotes(filtersOf(n), sampleNow))
    }
    return costs
  })
}

/**
 * Compares the store's part of `GET /quotes`: a page of the 50 best quotes for one pool and series, from the query to
 * the JSON text. The product's query and encoder concatenate stored JSON. The rival has a column for every field, with
 * blobs where the product has them, and an index designed for this query.
 */
async function comparePages(context: RowContext, { store, directory }: FilledStore, size: number) {
  context.progress(`filling ${size} rows of columns`)
  const database = createColumns(join(directory, 'columns.db'), size)
  try {
    const readColumns = createColumnReader(database)
    const readOurs = async (n: number) => {
      const { quotes, nextCursor } = await store.listQuotes({ ...samplePair(n), sort: 'rate' }, sampleNow)
      const page = encodeQuotePage({ quotes: quotes.map(({ text }) => ({ text, judged })), nextCursor })
      // Flattens the concatenated text, as its first reader would. Flattening is part of the cost.
      page.charCodeAt(page.length >> 1)
      return page
    }
    for (const n of [0, 1]) {
      // Blobs do not preserve the case of addresses.
      const [ours, theirs] = [await readOurs(n), readColumns(n)].map(
        (page) => JSON.parse(page.toLowerCase()) as unknown,
      )
      if (!isDeepStrictEqual(ours, theirs)) throw new TypeError('The sides built different pages.')
    }
    return await alternate(['ours', 'columns'], context, (side) =>
      timeEach(comparedPages, side === 'ours' ? readOurs : readColumns),
    )
  } finally {
    database.close()
  }
}

// Neither side computes rates as of the read.
const judged = { status: 'active', verdict: {}, rates: { apr: 7.15 } } as const

const hexes = ['maker', 'taker', 'poolId', 'seriesKey', 'salt', 'signature'] as const
const amounts = ['notional', 'vrtAmount', 'nonce', 'deadline'] as const
const blobOf = (hex: string) => Buffer.from(hex.slice(2), 'hex')
const hexOf = (blob: unknown) => `0x${(blob as Buffer).toString('hex')}`

function createColumns(file: string, size: number): SqliteDatabase.Database {
  return fillFile(file, (database) => {
    const columns = [
      ...['hash', ...hexes].map((name) => `${name} blob not null`),
      ...amounts.map((name) => `${name} ${name === 'deadline' ? 'integer' : 'text'} not null`),
      'status text not null, apr real not null, price real not null, createdAt integer not null',
    ]
    database.exec(`create table quotes (${columns})`)
    const insert = database.prepare(insertInto(['hash', ...hexes, ...amounts, 'status', 'apr', 'price', 'createdAt']))
    for (let n = 0; n < size; n += 1) {
      const { hash, quote, apr, createdAt } = sampleQuote(n)
      const texts = amounts.map((name) => (name === 'deadline' ? Number(quote.deadline) : String(quote[name])))
      const blobs = [blobOf(hash), ...hexes.map((name) => blobOf(quote[name]))]
      insert.run(...blobs, ...texts, 'active', apr, priceOf(quote), createdAt)
    }
    database.exec('create index quotes_best on quotes (poolId, seriesKey, status, price)')
  })
}

function createColumnReader(database: SqliteDatabase.Database): (n: number) => string {
  const select = database.prepare<unknown[], Record<string, unknown>>(
    `select rowid, * from quotes where poolId = ? and seriesKey = ? and status = 'active' and deadline >= ?
     order by price, rowid limit 51`,
  )
  return (n) => {
    const { poolId, seriesKey } = samplePair(n)
    const rows = select.all(blobOf(poolId), blobOf(seriesKey), Number(sampleNow))
    const last = rows.length > 50 ? rows[49] : undefined
    return JSON.stringify({
      quotes: rows.slice(0, 50).map((row) => ({
        hash: hexOf(row['hash']),
        quote: {
          maker: hexOf(row['maker']),
          taker: hexOf(row['taker']),
          poolId: hexOf(row['poolId']),
          seriesKey: hexOf(row['seriesKey']),
          notional: row['notional'],
          vrtAmount: row['vrtAmount'],
          nonce: row['nonce'],
          deadline: String(row['deadline']),
          salt: hexOf(row['salt']),
          signature: hexOf(row['signature']),
        },
        apr: judged.rates.apr,
        createdAt: row['createdAt'],
        status: row['status'],
      })),
      nextCursor: last
        ? Buffer.from(
            // No series is stored, so each has one second left.
            JSON.stringify(['rate', last['price'], last['rowid'], seriesKey.slice(2), 1, Number(sampleNow)]),
          ).toString('base64url')
        : null,
    })
  }
}

/** Measures the average duration of `times` runs, in microseconds. */
async function timeEach(times: number, run: (n: number) => unknown): Promise<number> {
  const startedAt = performance.now()
  for (let n = 0; n < times; n += 1) await run(n)
  return ((performance.now() - startedAt) / times) * 1_000
}
