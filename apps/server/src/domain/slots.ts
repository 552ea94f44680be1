import type { Hex } from 'viem'

/** A backer's one place in an auction. */
export type Slot = {
  /** How many of its submissions were judged and refused. */
  attempts: number
  /** The submission that is being judged. */
  judging: Judged | null
  /** The hash of its accepted quote. */
  accepted: Hex | null
}

/** A submission on its way through the judge. */
export type Judged = { submission: number; hash: Hex; receivedAt: number }

/**
 * The slots of an auction by backer: an immutable map. Setting one copies a few dozen entries at most, however many
 * backers there are, so that an auction's events stay cheap and its old states stay as they were.
 */
export type Slots = readonly (ReadonlyMap<string, Slot> | undefined)[]

const bucketCount = 256

/** No slot taken. */
export const noSlots: Slots = Array.from({ length: bucketCount })

const freeSlot: Slot = { attempts: 0, judging: null, accepted: null }

/** A backer's slot; free if it was never set. */
export function slotOf(slots: Slots, backer: string): Slot {
  const key = backer.toLowerCase()
  return slots[bucketOf(key)]?.get(key) ?? freeSlot
}

/** The same slots with one changed. */
export function withSlot(slots: Slots, backer: string, slot: Slot): Slots {
  const key = backer.toLowerCase()
  const bucket = bucketOf(key)
  const copy = slots.slice()
  copy[bucket] = new Map(slots[bucket]).set(key, slot)
  return copy
}

function bucketOf(key: string): number {
  return Number.parseInt(key.slice(-2), 16) % bucketCount || 0
}
