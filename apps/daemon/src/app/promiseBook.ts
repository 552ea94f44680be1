import type { Hex } from 'viem'
import { affordable, type MakerFunds } from '../domain/exposure.ts'
import type { KeptQuote, Store } from '../ports/store.ts'

/**
 * Everything that this daemon may still be held to. All quotes that can be taken add up to no more than the smaller of
 * balance and allowance, for each loan token: a quote gets into the book only if it fits, and only what is in the book and
 * on the disk is ever signed.
 */
export type PromiseBook = {
  /** What the chain is worth asking about before anything else is promised. What it is not asked about counts. */
  open(): readonly KeptQuote[]
  /** The most that one more quote may be for. Raw units. */
  affordable(funds: MakerFunds): bigint
  /**
   * Promises a quote, if it fits: from this call on it counts, and once it resolves it is on the disk.
   *
   * @returns whether it fitted.
   * @throws {StorageUnavailableError} when it could not be written; then it does not count.
   */
  reserve(quote: KeptQuote, funds: MakerFunds): Promise<boolean>
  /** Takes back a quote that was never signed. */
  release(hash: Hex): Promise<void>
  /** Leaves out what the chain has passed for good. */
  forgetEnded(timestamp: bigint): Promise<void>
}

/** A view of the chain that is still on its way may be so much older than the newest one. Seconds. */
const oldestView = 600n

/** Opens the book with what an earlier life of the daemon has promised. */
export async function createPromiseBook(store: Store): Promise<PromiseBook> {
  const book = new Map((await store.readUnended()).map((quote) => [quote.hash, quote]))
  let newest = 0n
  return {
    open: () => [...book.values()].filter(({ quote }) => quote.deadline >= newest),
    affordable: (funds) => affordable(book.values(), funds),
    async reserve(quote, funds) {
      // Judged and counted in one turn of the event loop: two answers at once cannot both take the same funds.
      if (quote.quote.notional > affordable(book.values(), funds) || book.has(quote.hash)) return false
      book.set(quote.hash, quote)
      try {
        await store.add(quote)
      } catch (error) {
        book.delete(quote.hash)
        throw error
      }
      return true
    },
    async release(hash) {
      // First from the disk: what cannot be removed there goes on counting here.
      await store.remove(hash)
      book.delete(hash)
    },
    async forgetEnded(timestamp) {
      if (timestamp > newest) newest = timestamp
      const ended = [...book.values()].filter(({ quote }) => quote.deadline + oldestView < timestamp)
      if (ended.length === 0) return
      for (const { hash } of ended) book.delete(hash)
      await store.keepEnded(ended.map(({ hash }) => hash))
    },
  }
}
