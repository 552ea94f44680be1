import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashQuote, type SignedQuote } from '@firmquote/core'
import type { Devnet } from '@firmquote/devnet'
import { createFakeClock } from '@firmquote/test-support/fakeClock'
import SqliteDatabase from 'better-sqlite3'
import { createSqliteStore } from '../src/adapters/sqliteStore/sqliteStore.ts'
import { createRpcClient, createViemChain } from '../src/adapters/viemChain/viemChain.ts'
import { createSync } from '../src/app/chain/sync.ts'
import type { SyncSettings } from '../src/app/serviceDeps.ts'
import { createPatientHealth } from './patientHealth.ts'
import { domainOf } from './signedQuotes.ts'

const tables = ['quote_ends', 'nonce_raises', 'pools', 'series', 'positions', 'settlements'] as const

/** Returns all rows written by the sync, and the statuses derived from them. */
export function dumpSync(file: string): Record<string, unknown[]> {
  const database = new SqliteDatabase(file, { readonly: true })
  const all = (query: string) => database.prepare(query).all()
  const dump: Record<string, unknown[]> = {
    cursor: all('select * from sync_cursor'),
    quotes: all('select hash, status, seen_at from quotes order by hash'),
  }
  for (const table of tables) dump[table] = all(`select * from ${table} order by block_number, log_index`)
  database.close()
  return dump
}

/** Creates a sync with a separate database file. */
export async function createSyncFixture(
  devnet: Devnet,
  options: {
    rpcUrl?: string
    timeoutMs?: number
    logWindow?: number
    settings?: Partial<SyncSettings>
    quotes?: readonly SignedQuote[]
    /** The database file copied as a starting point. */
    template?: string
  } = {},
) {
  const { rpcUrl = devnet.rpcUrl, timeoutMs = 2_000, logWindow, settings, quotes = [], template } = options
  const domain = domainOf(devnet)
  const directory = mkdtempSync(join(tmpdir(), 'firmquote-sync-'))
  const file = join(directory, 'firmquote.db')
  if (template !== undefined) copyFileSync(template, file)
  const store = await createSqliteStore({ file, writesHere: true })
  const clock = createFakeClock()
  const messages: string[] = []
  const write = (_facts: Record<string, unknown>, message: string) => void messages.push(message)
  const { interestRatePool } = devnet.contracts
  const sync = createSync({
    chain: createViemChain({
      client: createRpcClient({ rpcUrl, timeoutMs, health: createPatientHealth() }),
      quoteMarket: domain.quoteMarket,
      interestRatePool,
      ...(logWindow !== undefined && { logWindow }),
    }),
    clock,
    store,
    random: randomBytes,
    domain,
    interestRatePool,
    log: { debug: write, info: write, warn: write, error: write },
    sync: { deployBlock: 0, intervalMs: 1_000, headDegradedSeconds: 30, headStaleSeconds: 120, ...settings },
  })
  await Promise.all(
    quotes.map((quote) => store.insertQuote({ hash: hashQuote(quote, domain), quote, apr: 1, createdAt: 1 })),
  )
  return {
    sync,
    store,
    clock,
    file,
    messages,
    dump: () => dumpSync(file),
    statusOf: async (quote: SignedQuote) => (await store.findQuote(hashQuote(quote, domain)))?.status,
    async close() {
      await sync.stop()
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/**
 * Creates a template database with quotes: copying it is faster than inserting them again. The caller must remove
 * `directory`.
 */
export async function createTemplate(directory: string, devnet: Devnet, quotes: readonly SignedQuote[]) {
  const bench = await createSyncFixture(devnet, { quotes })
  const template = join(directory, 'template.db')
  const database = new SqliteDatabase(bench.file)
  await database.backup(template)
  database.close()
  await bench.close()
  return template
}

/** Dumps the result of syncing into an empty database. */
export async function syncFromScratch(devnet: Devnet, options: Parameters<typeof createSyncFixture>[1] = {}) {
  const bench = await createSyncFixture(devnet, options)
  await bench.sync.cycle()
  const dump = bench.dump()
  await bench.close()
  return dump
}
