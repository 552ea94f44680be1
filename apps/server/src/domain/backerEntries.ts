import type { Hex } from 'viem'
import type { MissedQuotes } from './auctionOutcome.ts'
import type { AcceptedQuote } from './auctionRecord.ts'

/** What an auction knows of one backer. */
export type BackerEntry = {
  /** How many of its submissions were judged and rejected. */
  attempts: number
  /** Its quote that has no verdict yet. */
  pending: PendingQuote | null
  /** Its accepted quote; `receivedAt` is Unix milliseconds. */
  accepted: { hash: Hex; receivedAt: number } | null
  /** What became of its last quote that was not accepted. */
  missed: 'late' | 'rejected' | null
}

/** A quote that an auction may accept: everything but its place in the stream. */
export type CandidateQuote = Omit<AcceptedQuote, 'seq'>

/** A quote without a verdict. */
export type PendingQuote = {
  /** The number of the submission that brought it first. */
  id: number
  candidate: CandidateQuote
  /** The submissions that wait for the verdict: a backer may send the same quote again. */
  waiting: readonly number[]
  /**
   * `judging` reads the chain, `storing` waits for the commit; of an `unknown` one the store could not tell whether it is on
   * disk, and an `overdue` one is unknown for so long that those who waited were told.
   */
  stage: 'judging' | 'storing' | 'unknown' | 'overdue'
}

/**
 * The entries of an auction by backer: an immutable map in buckets. A change copies one bucket, so its cost does not grow
 * with the number of backers, and earlier states stay as they were.
 */
export type BackerEntries = readonly (ReadonlyMap<string, BackerEntry> | undefined)[]

const bucketCount = 256

/** No backer has submitted anything. */
export const noEntries: BackerEntries = Array.from({ length: bucketCount })

const emptyEntry: BackerEntry = { attempts: 0, pending: null, accepted: null, missed: null }

/** The entry of a backer; an empty one before its first submission. The case of the address does not matter. */
export function entryOf(entries: BackerEntries, backer: string): BackerEntry {
  const key = backer.toLowerCase()
  return entries[bucketOf(key)]?.get(key) ?? emptyEntry
}

/** The same entries with one changed. */
export function withEntry(entries: BackerEntries, backer: string, entry: BackerEntry): BackerEntries {
  const key = backer.toLowerCase()
  const bucket = bucketOf(key)
  const copy = entries.slice()
  copy[bucket] = new Map(entries[bucket]).set(key, entry)
  return copy
}

/** The quotes without a verdict, by the address of their backer. */
export function pendingQuotes(entries: BackerEntries): { backer: string; pending: PendingQuote }[] {
  return entries.flatMap((bucket) =>
    bucket === undefined
      ? []
      : [...bucket].flatMap(([backer, { pending }]) => (pending === null ? [] : [{ backer, pending }])),
  )
}

/** The backers with a quote that was not accepted, by lower-case address, and what became of the last one. */
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
