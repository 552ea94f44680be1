import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import SqliteDatabase, { type Statement } from 'better-sqlite3'
import type { Hex } from 'viem'
import { encodeQuotePage } from '../../../apps/server/src/http/answers/encodeQuotePage.ts'
import { goals } from '../goals.ts'
import type { Finding, Row } from '../row.ts'
import { figureOf, ratioOf } from '../stand/figureOf.ts'
import { insertSamples, openSampleStore, sampleNow, samplePair, sampleQuote, timeEach } from './storedSample.ts'

const pagesPerRound = 200

/**
 * The store's part of `GET /quotes`: a page of the 50 best quotes of one pool and series, from the query to the JSON text
 * of the answer. What the chain says of each quote is left out on all sides. Ours runs the product's own query and encoder,
 * which puts stored texts together. The rivals keep a column for every field, as blobs where the product has blobs or all
 * as text; each reads them in the order of an index made for this very query, with a statement that is prepared once, and
 * makes the same JSON of them.
 */
export const quotePages: Row = {
  id: 'quote-pages',
  about: 'a page of 50 quotes over 1M stored, against building it from columns',
  async run({ rounds, progress }) {
    const size = Number(process.env['STORED_QUOTES'] ?? 1_000_000)
    const { store, directory, remove } = await openSampleStore()
    const [blobs, texts] = ['blobs.db', 'texts.db'].map((name) => new SqliteDatabase(join(directory, name)))
    try {
      if (!blobs || !texts) throw new TypeError('There are two rivals.')
      await insertSamples(store, 0, size, (done) => progress(`${done} of ${size} quotes are stored`))
      const fromBlobs = createColumns(blobs, asBlobs, size, (done) => progress(`${done} of ${size} rows of blobs`))
      const fromTexts = createColumns(texts, asTexts, size, (done) => progress(`${done} of ${size} rows of texts`))
      const ours = async (n: number) => {
        const { poolId, seriesKey } = samplePair(n)
        const { quotes, nextCursor } = await store.listQuotes({ poolId, seriesKey, sort: 'rate' }, sampleNow)
        const page = encodeQuotePage({
          quotes: quotes.map(({ text }) => ({ text, status: 'active', verdict: {} })),
          nextCursor,
        })
        // V8 copies what was added up when it is first looked into; that belongs to the cost.
        page.charCodeAt(page.length >> 1)
        return page
      }
      for (const n of [0, 1]) assertSame(await ours(n), fromBlobs(n), fromTexts(n))
      const costs = { ours: [] as number[], blobs: [] as number[], texts: [] as number[] }
      // The first round warms everything up and does not count.
      for (let round = 0; round <= rounds; round += 1) {
        progress(`round ${round} of ${rounds}`)
        const [own, blob, text] = [
          await timeEach(pagesPerRound, ours),
          await timeEach(pagesPerRound, fromBlobs),
          await timeEach(pagesPerRound, fromTexts),
        ]
        if (round === 0) continue
        costs.ours.push(own)
        costs.blobs.push(blob)
        costs.texts.push(text)
      }
      const microseconds = (values: readonly number[]) => `${figureOf(values).median.toFixed(0)} µs`
      const finding: Finding = {
        what: `GET /quotes, a page of 50 over ${size.toLocaleString('en')} stored`,
        rival: 'the same page built from columns of blobs',
        unit: 'x',
        figure: ratioOf(costs.blobs, costs.ours),
        ...goals.quotePage,
        others: [{ rival: 'columns of texts', how: 'the same', figure: ratioOf(costs.texts, costs.ours) }],
        notes: [
          `ours ${microseconds(costs.ours)}, from blobs ${microseconds(costs.blobs)}, from texts ${microseconds(costs.texts)}`,
        ],
      }
      return { findings: [finding] }
    } finally {
      blobs?.close()
      texts?.close()
      await remove()
    }
  },
}

/** How a rival keeps what is hex, and how it reads it again. */
type Columns = { type: string; keep(hex: Hex): Buffer | string; read(kept: unknown): string }

const asBlobs: Columns = {
  type: 'blob',
  keep: (hex) => Buffer.from(hex.slice(2), 'hex'),
  read: (kept) => `0x${(kept as Buffer).toString('hex')}`,
}
const asTexts: Columns = { type: 'text', keep: (hex) => hex, read: (kept) => kept as string }

const hexes = ['maker', 'taker', 'poolId', 'seriesKey', 'salt', 'signature'] as const
const amounts = ['notional', 'vrtAmount', 'nonce', 'deadline'] as const

/** A rival: a column for everything, and an index for the very list that is asked for. */
function createColumns(
  database: SqliteDatabase.Database,
  { type, keep, read }: Columns,
  size: number,
  progress: (done: number) => void,
): (n: number) => string {
  database.pragma('journal_mode = wal')
  const columns = [
    ...['hash', ...hexes].map((name) => `${name} ${type} not null`),
    ...amounts.map((name) => `${name} ${name === 'deadline' ? 'integer' : 'text'} not null`),
    'status text not null, apr real not null, createdAt integer not null',
  ]
  database.exec(`create table quotes (${columns.join(', ')})`)
  const names = ['hash', ...hexes, ...amounts, 'status', 'apr', 'createdAt']
  const insert = database.prepare(`insert into quotes (${names}) values (${names.map(() => '?')})`)
  const fill = database.transaction((from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      const { hash, quote, apr, createdAt } = sampleQuote(n)
      const { notional, vrtAmount, nonce, deadline } = quote
      const hexColumns = hexes.map((name) => keep(quote[name].toLowerCase() as Hex))
      insert.run(
        keep(hash),
        ...hexColumns,
        `${notional}`,
        `${vrtAmount}`,
        `${nonce}`,
        Number(deadline),
        'active',
        apr,
        createdAt,
      )
    }
  })
  const atOnce = 10_000
  for (let start = 0; start < size; start += atOnce) {
    fill(start, Math.min(size, start + atOnce))
    progress(Math.min(size, start + atOnce))
  }
  database.exec('create index quotes_best on quotes (poolId, seriesKey, status, apr, hash)')
  const select: Statement<unknown[], Record<string, unknown>> = database.prepare(
    `select * from quotes where poolId = ? and seriesKey = ? and status = 'active' and deadline >= ?
     order by apr, hash limit 51`,
  )

  return (n) => {
    const { poolId, seriesKey } = samplePair(n)
    const rows = select.all(keep(poolId), keep(seriesKey), Number(sampleNow))
    const last = rows.length > 50 ? rows[49] : undefined
    return JSON.stringify({
      quotes: rows.slice(0, 50).map((row) => ({
        hash: read(row['hash']),
        quote: {
          maker: read(row['maker']),
          taker: read(row['taker']),
          poolId: read(row['poolId']),
          seriesKey: read(row['seriesKey']),
          notional: row['notional'],
          vrtAmount: row['vrtAmount'],
          nonce: row['nonce'],
          deadline: String(row['deadline']),
          salt: read(row['salt']),
          signature: read(row['signature']),
        },
        apr: row['apr'],
        createdAt: row['createdAt'],
        status: row['status'],
      })),
      nextCursor: last
        ? Buffer.from(JSON.stringify(['rate', last['apr'], read(last['hash']).slice(2)])).toString('base64url')
        : null,
    })
  }
}

/** But for the case of addresses, which blobs do not keep. */
function assertSame(ours: string, ...theirs: string[]): void {
  const [first, ...others] = [ours, ...theirs].map((page): unknown => JSON.parse(page.toLowerCase()))
  if (others.some((other) => !isDeepStrictEqual(first, other)))
    throw new TypeError('The sides do not build the same page.')
}
