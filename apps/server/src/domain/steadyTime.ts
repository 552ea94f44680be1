// Why: docs/decisions/0078-a-steady-clock.md

/**
 * One reading of the reference clock, which is the database's clock or, on SQLite, the machine's. All times are in
 * milliseconds.
 */
export type ClockReading = {
  /** When the reading was requested and received, on this process's monotonic clock. */
  sentAt: number
  receivedAt: number
  /** The reference clock's Unix time. */
  time: number
  /** The stored offset from the reference clock to the service's time. Zero unless the reference clock was stepped. */
  offset: number
  /** The reference clock's time when an instance last agreed with the service's time; null if unknown. */
  agreedAt: number | null
}

/** An instance's steady time. */
export type SteadyTime = {
  /** Milliseconds from the monotonic clock to the service's Unix time. */
  fromMonotonic: number
  /** The stored offset at the last reading. */
  offset: number
}

/**
 * The verdict on a reading. `apart` is how far the reference clock and the stored offset are ahead of this instance's
 * time, in milliseconds.
 *
 * - `slew`: they agree, apart from drift.
 * - `keep`: the reference clock was stepped. Store the new offset, which keeps the service's time.
 * - `follow`: this process was suspended, or another instance changed the service's time. This instance follows.
 */
export type ReadingVerdict = { do: 'slew' | 'keep' | 'follow'; time: SteadyTime; apart: number }

/** A larger difference, in milliseconds, is a step rather than drift. It is below the tolerance of an auction's end. */
export const stepMs = 100
/** Maximum correction for drift per reading, in milliseconds. */
export const slewMs = 5
/**
 * An instance that agreed with the service's time within this many milliseconds shows that the reference clock was not
 * stepped. For a smaller step, it proves nothing.
 */
const recentMs = 2_000

/** The steady time after the first reading, or a more precise one after another of the first readings. */
export function firstTime(known: SteadyTime | null, reading: ClockReading): SteadyTime {
  const [least, most] = boundsOf(reading)
  const fromMonotonic = known === null ? (least + most) / 2 : clamp(known.fromMonotonic, least, most)
  return { fromMonotonic, offset: reading.offset }
}

/** Judges a later reading. A slow answer widens its bounds, so it changes nothing. */
export function judgeReading(known: SteadyTime, reading: ClockReading): ReadingVerdict {
  const { time, offset, agreedAt } = reading
  const [least, most] = boundsOf(reading)
  const own = known.fromMonotonic
  const apart = clamp(own, least, most) - own
  if (Math.abs(apart) <= stepMs) {
    return { do: 'slew', apart, time: { fromMonotonic: own + clamp(apart, -slewMs, slewMs), offset } }
  }
  const sinceAgreed = agreedAt === null ? -1 : time - agreedAt
  const wasSuspended = Math.abs(apart) > recentMs && sinceAgreed >= 0 && sinceAgreed <= recentMs
  if (offset === known.offset && !wasSuspended) {
    return { do: 'keep', apart, time: { fromMonotonic: own, offset: Math.round(offset - apart) } }
  }
  return { do: 'follow', apart, time: { fromMonotonic: own + apart, offset } }
}

/** The offset at a start, which prevents the service's time from going back. All times are in milliseconds. */
export function offsetSince(seenAt: number, referenceTime: number): number {
  return Math.max(0, Math.ceil(seenAt - referenceTime))
}

/** Smaller offsets, in milliseconds, are kept, because blocks' timestamps are too coarse to judge them. */
const keptOffsetMs = 1_000
/** Maximum milliseconds between the reference clock and the newest block, as of its arrival. */
const chainToleranceMs = 30_000

/**
 * Whether a new block shows that the reference clock is right and the service's time is not. All times are in Unix
 * milliseconds.
 */
export function fitsReference({ now, offset, block }: { now: number; offset: number; block: number }): boolean {
  const apart = Math.abs(now - offset - block)
  return Math.abs(offset) > keptOffsetMs && apart <= chainToleranceMs && apart < Math.abs(now - block)
}

/** A step that this instance followed: by how much, and when on the monotonic clock. */
export type FollowedStep = { by: number; at: number }

/**
 * Milliseconds after following a step during which an auction may have been opened by an instance that had not yet
 * followed it.
 */
const overlapMs = 4_000

/**
 * Milliseconds since an auction opened. Instances follow a step up to a second apart. A step happens only while no
 * auction is open, so a time that is implausible just after a step was measured before it.
 */
export function auctionAge(
  openedAt: number,
  { now, monotonic, followed }: { now: number; monotonic: number; followed: FollowedStep | null },
): number {
  const age = now - openedAt
  if (followed === null || monotonic - followed.at > overlapMs || isPlausible(age)) return age
  return isPlausible(age - followed.by) ? age - followed.by : age
}

function isPlausible(age: number): boolean {
  return age >= -stepMs && age <= 2 * overlapMs
}

function boundsOf({ sentAt, receivedAt, time, offset }: ClockReading): [least: number, most: number] {
  return [time + offset - receivedAt, time + offset - sentAt]
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most)
}
