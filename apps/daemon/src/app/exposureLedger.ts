import type { Hex } from 'viem'
import { affordableTo, type MakerFunds, type QuotedTo } from '../domain/exposure.ts'
import type { Shares } from '../domain/policy.ts'
import type { SignedQuoteRecord, Store } from '../ports/store.ts'

/**
 * Every quote that can still be held against the maker. All quotes that can be taken add up to no more than the smaller of
 * balance and allowance, for each loan token, and those of one asker to no more than its share of it: a quote is entered only
 * if it fits, and only what is entered here and on the disk is ever signed.
 */
export type ExposureLedger = {
  /** The quotes whose state on the chain can still change. The others count as open until they are dropped. */
  open(): readonly SignedQuoteRecord[]
  /** The most that one more quote may be for. Raw loan-token units. */
  affordable(funds: MakerFunds, to: QuotedTo, shares: Shares): bigint
  /**
   * Enters a quote, if it fits: from this call on it counts, and once it resolves it is on the disk.
   *
   * @returns whether it fitted.
   * @throws {StorageUnavailableError} when it could not be written; then it does not count.
   */
  reserve(record: SignedQuoteRecord, funds: MakerFunds, shares: Shares): Promise<boolean>
  /**
   * Removes a quote that was never signed.
   *
   * @throws {StorageUnavailableError} when it could not be removed from the disk; then it goes on counting.
   */
  release(hash: Hex): Promise<void>
  /** Drops the quotes whose deadline the chain has passed for good. `timestamp` is a block's time, Unix seconds. */
  dropEnded(timestamp: bigint): Promise<void>
}

/** A view of the chain that is still being read may be so much older than the newest one. Seconds. */
const oldestView = 600n

/**
 * Creates the ledger with the quotes of earlier runs.
 *
 * @throws {StorageUnavailableError} when the store cannot be read.
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
      // Judged and counted in one turn of the event loop: two answers at once cannot both take the same funds.
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
      // First from the disk: what cannot be removed there goes on counting here.
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
