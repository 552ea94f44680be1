import { setTimeout as sleep } from 'node:timers/promises'
import type { RfqId } from '@firmquote/core'
import { expect } from '@jest/globals'
import type { PostgresStore } from '../../../src/adapters/postgresStore/postgresStore.ts'
import { publicRfqId } from '../../../src/domain/rfqIds.ts'
import { OutcomeUnknownError, StorageUnavailableError } from '../../../src/ports/errors.ts'
import type { NewAuctionQuote } from '../../../src/ports/store.ts'
import { newAuctionQuote, openedAt } from '../../storedQuotes.ts'

/** Maximum milliseconds until a failure is reported, and until writes succeed after the database recovers. */
export const [knownWithinMs, backWithinMs] = [2_000, 1_000]

/** The outcome of a quote. `refused`: the quote was definitely not stored. */
export const accept = (store: PostgresStore, quote: NewAuctionQuote) =>
  store.acceptQuote(quote, openedAt).then(
    ({ status }) => status,
    (error: unknown) => {
      expect(error).toBeInstanceOf(StorageUnavailableError)
      return error instanceof OutcomeUnknownError ? 'unknown' : 'refused'
    },
  )
/** Returns the hashes of an auction's quotes and asserts that their sequence numbers have no gaps. */
export const keptBy = async (store: PostgresStore, id: RfqId) => {
  const record = await store.findAuction({ publicRfqId: publicRfqId(id) })
  expect(record?.quotes.map(({ seq }) => seq)).toEqual(record?.quotes.map((_, index) => index + 1))
  return new Set(record?.quotes.map(({ hash }) => hash))
}

/** Submits quotes continuously until stopped. Records every quote not refused by the store. */
export const load = (store: PostgresStore, id: RfqId) => {
  const told = new Map<NewAuctionQuote, Awaited<ReturnType<typeof accept>>>()
  let slowest = 0
  let isOver = false
  const workers = Array.from({ length: 8 }, async (_, worker) => {
    for (let n = worker; !isOver; n += 8) {
      const quote = newAuctionQuote(n, id)
      const start = performance.now()
      told.set(quote, await accept(store, quote))
      slowest = Math.max(slowest, performance.now() - start)
      if (told.get(quote) !== 'accepted') await sleep(20)
    }
  })
  return {
    accepted: () => [...told.values()].filter((outcome) => outcome === 'accepted').length,
    slowest: () => slowest,
    async end() {
      isOver = true
      await Promise.all(workers)
      return told
    },
  }
}
/** Returns the number of milliseconds until the next quote is accepted. */
export const nextAccepted = async (running: ReturnType<typeof load>) => {
  const [before, start] = [running.accepted(), performance.now()]
  while (running.accepted() === before) await sleep(5)
  return performance.now() - start
}
/**
 * Asserts that acknowledged quotes are stored, that refused quotes are not, and that resubmitting a quote resolves an
 * unknown outcome.
 */
export const expectKept = async (
  store: PostgresStore,
  id: RfqId,
  told: Awaited<ReturnType<ReturnType<typeof load>['end']>>,
) => {
  const kept = await keptBy(store, id)
  for (const [quote, outcome] of told) {
    if (outcome === 'unknown') expect(await accept(store, quote)).toBe('accepted')
    else expect([outcome, kept.has(quote.hash)]).toEqual([outcome, outcome === 'accepted'])
  }
}
