import type { Hex } from 'viem'
import { affordableTo, type MakerFunds, type QuotedTo } from '../domain/exposure.ts'
import type { Shares } from '../domain/policy.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'

/**
 * Ledger of all quotes that may still be taken. For each loan token, the quotes' total never exceeds the balance or the
 * allowance, and each asker is limited to its share. A quote is reserved only if it fits, and signed only after it is
 * reserved on disk.
 */
export type ExposureLedger = {
  /** Quotes whose on-chain state may still change. Other quotes count in the ledger until they are dropped. */
  open(): readonly SignedQuoteRecord[]
  /** Maximum notional of another quote, in raw loan-token units. */
  affordable(funds: MakerFunds, to: QuotedTo, shares: Shares): bigint
  /**
   * Reserves funds for a quote if it fits. The reservation takes effect immediately and is on disk once the promise
   * resolves.
   *
   * @returns whether it fit.
   * @throws {StorageUnavailableError} if the write fails. The quote then does not count.
   */
  reserve(record: SignedQuoteRecord, funds: MakerFunds, shares: Shares): Promise<boolean>
  /**
   * Removes a quote that was never signed.
   *
   * @throws {StorageUnavailableError} if the removal fails. The quote then still counts.
   */
  release(hash: Hex): Promise<void>
  /** Drops quotes whose deadline has passed on-chain. `timestamp` is a block timestamp in Unix seconds. */
  dropEnded(timestamp: bigint): Promise<void>
}

/** Maximum age in seconds, relative to the newest chain view, of a view that may still be in use. */
const oldestView = 600n

/**
 * Creates the ledger from the stored quotes.
 *
 * @throws {StorageUnavailableError} if the store cannot be read.
 */
export async function createExposureLedger(store: Store): Promise<ExposureLedger> {
  const records = new Map((await store.listUnended()).map((record) => [record.hash, record]))
  let newest = 0n
  return {
    open: () => [...records.values()].filter(({ quote }) => quote.deadline >= newest),
    affordable: (funds, to, shares) => affordableTo([...records.values()], funds, to, shares),
    async reserve(record, funds, shares) {
      const { asker, quote } = record
      const most = affordableTo([...records.values()], funds, { asker, taker: quote.taker }, shares)
      // Check and reserve in one tick of the event loop, so that two concurrent answers cannot reserve the same funds.
      if (quote.notional > most || records.has(record.hash)) return false
      records.set(record.hash, record)
      try {
        await store.add(record)
      } catch (error) {
        records.delete(record.hash)
        throw error
      }
      return true
    },
    async release(hash) {
      // Remove the quote from disk first, so that it still counts in memory if the removal fails.
      await store.remove(hash)
      records.delete(hash)
    },
    async dropEnded(timestamp) {
      if (timestamp > newest) newest = timestamp
      const ended = [...records.values()].filter(({ quote }) => quote.deadline + oldestView < timestamp)
      if (ended.length === 0) return
      for (const { hash } of ended) records.delete(hash)
      await store.markEnded(ended.map(({ hash }) => hash))
    },
  }
}
