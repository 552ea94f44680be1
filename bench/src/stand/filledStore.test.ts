import { expect, test } from '@jest/globals'
import { createSqliteStore } from '../../../apps/server/src/adapters/sqliteStore/sqliteStore.ts'
import type { Store } from '../../../apps/server/src/ports/store.ts'
import { openFilledStore, sampleNow, samplePair, sampleQuote } from './filledStore.ts'

const size = 300

async function readAll(store: Store) {
  const samples = Array.from({ length: size }, (_, n) => sampleQuote(n))
  const found = await Promise.all(samples.map(({ hash }) => store.findQuote(hash)))
  const pages = []
  for (const filters of [{}, { sort: 'rate' as const, ...samplePair(7) }, { maker: samples[9]?.quote.maker ?? '0x' }]) {
    const { quotes, nextCursor } = await store.listQuotes(filters, sampleNow)
    pages.push({ texts: quotes.map(({ text }) => text), nextCursor })
  }
  const offered = { seriesKey: samplePair(3).seriesKey, least: 1n, most: 2n ** 64n, perMaker: 2, limit: 50 }
  const offers = await store.listOffers({ ...offered, without: new Set() }, sampleNow)
  return { found, pages, offers, count: await store.countQuotes(samples[0]?.quote.maker ?? '0x', sampleNow) }
}

test('openFilledStore: reads like a store that took its quotes one by one', async () => {
  await using filled = await openFilledStore(size)
  const store = await createSqliteStore({ file: ':memory:' })
  try {
    for (let n = 0; n < size; n += 1) await store.insertQuote(sampleQuote(n))
    const answers = await readAll(filled.store)
    expect(answers.found).not.toContain(null)
    expect(answers.pages[0]?.texts).toHaveLength(50)
    expect(answers).toEqual(await readAll(store))
    expect(await filled.store.insertQuote(sampleQuote(5))).toMatchObject({ created: false })
    expect(await filled.store.insertQuote(sampleQuote(size))).toMatchObject({ created: true })
  } finally {
    await store.close()
  }
})
