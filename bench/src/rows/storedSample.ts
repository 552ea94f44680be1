import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QuoteFilters, SignedQuote } from '@firmquote/core'
import { getAddress, type Hex, keccak256, numberToHex, zeroAddress } from 'viem'
import { createSqliteStore } from '../../../apps/server/src/adapters/sqliteStore/sqliteStore.ts'

/** A quote as the store takes it: `createdAt` in Unix milliseconds. */
export type SampleQuote = { hash: Hex; quote: SignedQuote; apr: number; createdAt: number }

/** A quote as the store lists it; `text` is its record as JSON. */
export type SampleRecord = { text: string }

/** What the rows use of the product's store. */
export type SampleStore = {
  insertQuote(quote: SampleQuote): Promise<unknown>
  findQuote(hash: Hex): Promise<SampleQuote | null>
  listQuotes(filters: QuoteFilters, now: bigint): Promise<{ quotes: SampleRecord[]; nextCursor: string | null }>
  close(): Promise<void>
}

/** The present of the samples, Unix seconds; the quotes expire an hour later. */
export const sampleNow = 1_767_225_600n
/** How many series, and as many pools, the quotes are of. */
export const sampleSeries = 50

/** A pool's or series' id. */
export const idOf = (what: string, n: number): Hex => keccak256(`0x${Buffer.from(`${what} ${n}`).toString('hex')}`)

const pairs = Array.from({ length: sampleSeries }, (_, n) => ({
  poolId: idOf('pool', n),
  seriesKey: idOf('series', n),
}))

/** The pool and the series of the quote with this number. */
export const samplePair = (n: number): { poolId: Hex; seriesKey: Hex } =>
  pairs[n % sampleSeries] ?? { poolId: '0x', seriesKey: '0x' }

const makers = Array.from({ length: 10_000 }, (_, n) => getAddress(`0x${idOf('maker', n).slice(-40)}`))

/** The quote with this number: hashes, rates and makers are spread evenly. */
export function sampleQuote(n: number): SampleQuote {
  const hash = keccak256(numberToHex(n, { size: 32 }))
  const apr = Number.parseInt(hash.slice(2, 14), 16) / 2 ** 48
  const quote = {
    maker: makers[n % makers.length] ?? zeroAddress,
    taker: zeroAddress,
    ...samplePair(n),
    notional: 1_000_000_000_000n + BigInt(n),
    vrtAmount: 25_000_000_000n,
    nonce: 0n,
    deadline: sampleNow + 3_600n,
    salt: hash,
    signature: `${hash}${hash.slice(2)}1b` as Hex,
  }
  return { hash, quote, apr: apr * 20, createdAt: Number(sampleNow) * 1_000 + n }
}

/** Opens the product's store in a directory that goes with `remove`. */
export async function openSampleStore(): Promise<{ store: SampleStore; directory: string; remove(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'firmquote-bench-'))
  const store = await createSqliteStore({ file: join(directory, 'firmquote.db') })
  return {
    store,
    directory,
    async remove() {
      await store.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Stores the quotes from one number up to another, through the product's own writes. */
export async function insertSamples(
  store: SampleStore,
  from: number,
  to: number,
  progress: (done: number) => void,
): Promise<void> {
  const atOnce = 4_096
  for (let start = from; start < to; start += atOnce) {
    const count = Math.min(atOnce, to - start)
    await Promise.all(Array.from({ length: count }, (_, n) => store.insertQuote(sampleQuote(start + n))))
    progress(start + count)
  }
}

/** The time that one of `times` runs takes, in microseconds. */
export async function timeEach(times: number, run: (n: number) => unknown): Promise<number> {
  const startedAt = performance.now()
  for (let n = 0; n < times; n += 1) await run(n)
  return ((performance.now() - startedAt) / times) * 1_000
}
