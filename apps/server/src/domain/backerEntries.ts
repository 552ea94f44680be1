import type { Hex } from 'viem'
import type { MissedQuotes } from './auctionOutcome.ts'
import type { AcceptedQuote, QuoteLeaf } from './auctionRecord.ts'

/**
 * A backer's accepted quote. `receivedAt` is in Unix milliseconds. `leaf` is known if the auction is provable and this
 * instance has written the quote.
 */
export type AcceptedEntry = { hash: Hex; receivedAt: number; leaf?: QuoteLeaf }

/** One backer's state in an auction. */
export type BackerEntry = {
  /** Number of the backer's submissions that were judged and rejected. */
  attempts: number
  /** The backer's quote without a verdict yet. */
  pending: PendingQuote | null
  accepted: AcceptedEntry | null
  /** Why the backer's last unaccepted quote is not in the result. */
  missed: 'late' | 'rejected' | null
}

/** A quote that an auction may accept, with no position in the stream yet. */
export type CandidateQuote = Omit<AcceptedQuote, 'seq'>

/** A quote without a verdict. */
export type PendingQuote = {
  /** Number of the submission that first contained this quote. */
  id: number
  candidate: CandidateQuote
  /** Submissions waiting for the verdict. A backer may resubmit the same quote. */
  waiting: readonly number[]
  /**
   * `judging`: the quote is being checked against the chain. `storing`: waiting for the commit. `unknown`: the store
   * could not tell whether the quote is on disk. `overdue`: the outcome was unknown for too long, and the waiting
   * submissions were answered.
   */
  stage: 'judging' | 'storing' | 'unknown' | 'overdue'
}

/**
 * An auction's entries by backer: an immutable map split into buckets. A change copies one bucket, so its cost does not
 * depend on the number of backers.
 */
export type BackerEntries = readonly (ReadonlyMap<string, BackerEntry> | undefined)[]

const bucketCount = 256

/** The entries before any submission. */
export const noEntries: BackerEntries = Array.from({ length: bucketCount })

const emptyEntry: BackerEntry = { attempts: 0, pending: null, accepted: null, missed: null }

/** Returns a backer's entry, which is empty before its first submission. The lookup ignores the address's case. */
export function entryOf(entries: BackerEntries, backer: string): BackerEntry {
  const key = backer.toLowerCase()
  return entries[bucketOf(key)]?.get(key) ?? emptyEntry
}

/** Returns a copy of the entries with one replaced. */
export function withEntry(entries: BackerEntries, backer: string, entry: BackerEntry): BackerEntries {
  const key = backer.toLowerCase()
  const bucket = bucketOf(key)
  const copy = entries.slice()
  copy[bucket] = new Map(entries[bucket]).set(key, entry)
  return copy
}

/** The quotes without a verdict, and their backers' addresses. */
export function pendingQuotes(entries: BackerEntries): { backer: string; pending: PendingQuote }[] {
  return entries.flatMap((bucket) =>
    bucket === undefined
      ? []
      : [...bucket].flatMap(([backer, { pending }]) => (pending === null ? [] : [{ backer, pending }])),
  )
}

/**
 * Returns what happened to each backer's last unaccepted quote, by lower-case backer address. Omits backers without
 * one.
 */
export function missedQuotes(entries: BackerEntries): MissedQuotes {
  return new Map(
    entries.flatMap((bucket) =>
      bucket === undefined
        ? []
        : [...bucket].flatMap(([backer, { missed }]) => (missed === null ? [] : [[backer, missed] as const])),
    ),
  )
}

function bucketOf(key: string): number {
  return Number.parseInt(key.slice(-2), 16) % bucketCount || 0
}
