import type { Hex } from 'viem'
import type { MissedQuotes } from './auctionOutcome.ts'
import type { AcceptedQuote } from './auctionRecord.ts'

/** The state of one backer in an auction. */
export type BackerEntry = {
  /** Its submissions that were judged and rejected. */
  attempts: number
  /** Its quote without a verdict. */
  pending: PendingQuote | null
  /** Its accepted quote; `receivedAt` is Unix milliseconds. */
  accepted: { hash: Hex; receivedAt: number } | null
  /** The fate of its last quote that was not accepted. */
  missed: 'late' | 'rejected' | null
}

/** A quote that an auction may accept, without its position in the stream. */
export type CandidateQuote = Omit<AcceptedQuote, 'seq'>

/** A quote without a verdict. */
export type PendingQuote = {
  /** The number of the first submission of this quote. */
  id: number
  candidate: CandidateQuote
  /** The submissions that wait for the verdict; a backer may repeat its quote. */
  waiting: readonly number[]
  /**
   * `judging` reads the chain; `storing` waits for the commit. `unknown` means that the store could not tell whether
   * the quote is on disk. `overdue` means that this lasted too long and the waiting submissions were answered.
   */
  stage: 'judging' | 'storing' | 'unknown' | 'overdue'
}

/**
 * The entries of an auction by backer: an immutable map in buckets. A change copies one bucket, so its cost does not
 * grow with the number of backers.
 */
export type BackerEntries = readonly (ReadonlyMap<string, BackerEntry> | undefined)[]

const bucketCount = 256

/** The entries before any submission. */
export const noEntries: BackerEntries = Array.from({ length: bucketCount })

const emptyEntry: BackerEntry = { attempts: 0, pending: null, accepted: null, missed: null }

/** Returns a backer's entry, empty before its first submission. Ignores the case of the address. */
export function entryOf(entries: BackerEntries, backer: string): BackerEntry {
  const key = backer.toLowerCase()
  return entries[bucketOf(key)]?.get(key) ?? emptyEntry
}

/** Returns the entries with one changed. */
export function withEntry(entries: BackerEntries, backer: string, entry: BackerEntry): BackerEntries {
  const key = backer.toLowerCase()
  const bucket = bucketOf(key)
  const copy = entries.slice()
  copy[bucket] = new Map(entries[bucket]).set(key, entry)
  return copy
}

/** The quotes without a verdict, with the addresses of their backers. */
export function pendingQuotes(entries: BackerEntries): { backer: string; pending: PendingQuote }[] {
  return entries.flatMap((bucket) =>
    bucket === undefined
      ? []
      : [...bucket].flatMap(([backer, { pending }]) => (pending === null ? [] : [{ backer, pending }])),
  )
}

/** The backers with a quote that was not accepted, by lower-case address, and the fate of the last one. */
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
