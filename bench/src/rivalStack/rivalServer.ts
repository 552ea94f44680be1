// The rival: a straightforward Express stack that a good developer would write in an afternoon. Runs in a separate
// process.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { SignedQuote } from '@firmquote/core'
import express from 'express'
import { createRivalJudge, type RivalChain, rivalQuoteSchema } from './rivalJudge.ts'
import { createRivalSocket } from './rivalSocket.ts'
import { openPgRivalStore, openSqliteRivalStore } from './rivalStores.ts'

/** The rival's settings, as JSON in the environment variable `RIVAL`. */
export type RivalSettings = RivalChain & {
  /** URL of a PostgreSQL database. Default: uses a SQLite file. */
  databaseUrl?: string
  quotesPerMaker: number
  /** If false, judges only signatures and terms. */
  readsChain: boolean
}

const settings = JSON.parse(process.env['RIVAL'] ?? '') as RivalSettings
const { databaseUrl, quotesPerMaker, readsChain, ...chain } = settings
const store =
  databaseUrl === undefined
    ? openSqliteRivalStore(join(process.env['DATA_DIR'] ?? '', 'rival.db'))
    : await openPgRivalStore(databaseUrl)
const judge = createRivalJudge(chain, { readsChain })
const app = express()

/** Judges a quote and stores it durably. */
async function keep(quote: SignedQuote) {
  const { hash, apr } = await judge(quote)
  const body = JSON.stringify(quote, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  await store.insert(quote, hash, apr, body)
  return { hash, apr, body }
}

app.use(express.json({ limit: '16kb' }))

app.post('/api/v1/quotes', async (req, res) => {
  const parsed = rivalQuoteSchema.safeParse(req.body)
  if (!parsed.success) return res.status(400).json({ code: 'INVALID_REQUEST' })
  const quote = parsed.data
  const now = BigInt(Math.floor(Date.now() / 1_000))
  if (quote.deadline < now + 20n || quote.deadline > now + 86_400n) return res.status(422).json({ code: 'DEADLINE' })
  if ((await store.countOpen(quote.maker, now)) >= quotesPerMaker)
    return res.status(422).json({ code: 'TOO_MANY_OPEN' })
  try {
    const { hash, apr, body } = await keep(quote)
    return res.status(201).json({ hash, quote: JSON.parse(body), apr, status: 'active', createdAt: Date.now() })
  } catch (error) {
    return res.status(422).json({ code: (error as Error).message })
  }
})

const server = createServer(app)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  const open = createRivalSocket({
    server,
    domain: chain.domain,
    audience: `ws://localhost:${port}/ws/rfq`,
    decode: (value) => rivalQuoteSchema.parse(value),
    keep: async (quote) => (await keep(quote)).hash,
  })
  app.post('/api/v1/rfq/quote', (req, res) => res.json({ rfqId: open(req.body) }))
  process.stdout.write(`ready http://localhost:${port}\n`)
})
const leave = async () => {
  await store.close()
  process.exit(0)
}
process.once('SIGTERM', leave)
process.once('disconnect', leave)
