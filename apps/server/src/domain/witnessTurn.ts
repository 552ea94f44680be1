/** A witness, as the service sees it. Times are monotonic milliseconds. */
export type WitnessTurn = {
  /** The size of the last tree that the witness signed, from which it needs proofs of consistency. */
  size: number
  /** The size of the checkpoint that it has not answered, and when it was sent. */
  asked: { size: number; at: number } | null
  /** When it last signed; null if it has not signed since it registered. */
  signedAt: number | null
  /** When it may be asked again after a failure. */
  retryAt: number
}

/** Milliseconds after which a witness is asked to sign the same checkpoint again, for a signature with a later time. */
export const freshMs = 10_000
/** Milliseconds without an answer after which another witness may take the place. */
export const silentMs = 30_000

/** A witness that has just registered, with the size that it named. */
export function newTurn(size: number): WitnessTurn {
  return { size, asked: null, signedAt: null, retryAt: Number.NEGATIVE_INFINITY }
}

/**
 * Decides whether to send a witness the checkpoint of a tree of `head` entries. A witness has at most one unanswered
 * checkpoint. `ahead` means that it signed a larger tree of this log than the service knows.
 */
export function judgeTurn({ size, asked, signedAt, retryAt }: WitnessTurn, head: number, now: number) {
  if (head < size) return 'ahead'
  if (asked || now < retryAt) return 'wait'
  const isFresh = head === size && signedAt !== null && now - signedAt < freshMs
  return isFresh ? 'wait' : 'ask'
}

/** Whether a witness has left its checkpoint unanswered for so long that another one may take its place. */
export function isSilent({ asked }: WitnessTurn, now: number): boolean {
  return asked !== null && now - asked.at >= silentMs
}

/**
 * Maximum difference between a signature's time and the time at which the checkpoint was sent, in seconds. A later
 * signature could show that an auction was not closed in time, although it has been closed since.
 */
export const maxAnswerSeconds = 20

/** Returns why the time of a cosignature is refused, or null. Both times are in Unix seconds. */
export function judgeCosignedTime(time: number, askedAt: number): string | null {
  const difference = time - askedAt
  if (Math.abs(difference) <= maxAnswerSeconds) return null
  const place = difference > 0 ? 'after' : 'before'
  return `The signature's time is ${Math.abs(difference)} seconds ${place} the checkpoint was sent. Set the witness's clock, or answer sooner.`
}

/** One witness's line below the checkpoint of a tree of `size` entries. `time` is in Unix seconds. */
export type Cosignature = { key: string; name: string; size: number; time: number; line: string }

/** Maximum number of cosignatures of a checkpoint. */
export const maxCosignatures = 20

/** Adds a cosignature to the others of the same checkpoint. A later one replaces an earlier one by the same key. */
export function addCosignature(known: readonly Cosignature[], added: Cosignature): readonly Cosignature[] {
  const others = known.filter(({ key }) => key !== added.key)
  return others.length < maxCosignatures ? [...others, added] : known
}
