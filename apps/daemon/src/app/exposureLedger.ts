import type { Hex } from 'viem'
import { affordableTo, type MakerFunds, type QuotedTo } from '../domain/exposure.ts'
import type { Shares } from '../domain/policy.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'

/**
 * Ledger of all quotes that may still be taken. For each loan token, their sum never exceeds the smaller of balance and
 * allowance, and each asker is limited to its share. A quote is reserved only if it fits, and only a quote that is reserved on
 * disk is ever signed.
 */
export type ExposureLedger = {
  /** Quotes whose state on the chain may still change. Others count as open until they are dropped. */
  open(): readonly SignedQuoteRecord[]
  /** Maximum notional of one more quote, in raw loan-token units. */
  affordable(funds: MakerFunds, to: QuotedTo, shares: Shares): bigint
  /**
   * Reserves a quote if it fits. It counts from this call on, and is on disk once the promise resolves.
   *
   * @returns whether it fitted.
   * @throws {StorageUnavailableError} if the write fails; the quote then does not count.
   */
  reserve(record: SignedQuoteRecord, funds: MakerFunds, shares: Shares): Promise<boolean>
  /**
   * Removes a quote that was never signed.
   *
   * @throws {StorageUnavailableError} if the removal fails; the quote then still counts.
   */
  release(hash: Hex): Promise<void>
  /** Drops quotes whose deadline has passed on the chain. `timestamp` is a block's time in Unix seconds. */
  dropEnded(timestamp: bigint): Promise<void>
}

/** Maximum age difference between a chain view that is still being read and the newest one, in seconds. */
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
      // Remove it from disk first. If that fails, the quote still counts in memory.
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
