import type { Hex } from 'viem'

/** What an auction knows of one backer. */
export type BackerEntry = {
  /** How many of its submissions were judged and rejected. */
  attempts: number
  /** The submission that is being judged. */
  judging: JudgedSubmission | null
  /** The hash of its accepted quote. */
  accepted: Hex | null
}

/** A submission that is being judged. `receivedAt` is Unix milliseconds. */
export type JudgedSubmission = { submission: number; hash: Hex; receivedAt: number }

/**
 * The entries of an auction by backer: an immutable map in buckets. A change copies one bucket, so its cost does not grow
 * with the number of backers, and earlier states stay as they were.
 */
export type BackerEntries = readonly (ReadonlyMap<string, BackerEntry> | undefined)[]

const bucketCount = 256

/** No backer has submitted anything. */
export const noEntries: BackerEntries = Array.from({ length: bucketCount })

const emptyEntry: BackerEntry = { attempts: 0, judging: null, accepted: null }

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

function bucketOf(key: string): number {
  return Number.parseInt(key.slice(-2), 16) % bucketCount || 0
}
