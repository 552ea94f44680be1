// Why: docs/decisions/0078-a-steady-clock.md
import type { Clock } from '@firmquote/core/utils'
import type { Log } from '../app/serviceDeps.ts'
import {
  auctionAge,
  type FollowedStep,
  firstTime,
  fitsReference,
  judgeReading,
  offsetSince,
  type SteadyTime,
  stepMs,
} from '../domain/steadyTime.ts'
import type { ReferenceClock, ServiceClock } from '../ports/referenceClock.ts'

/** Interval between readings, in milliseconds. */
const readEveryMs = 1_000
/** Number of readings at startup. The fastest one is the most precise. */
const firstReadings = 3
/** Number of consecutive new blocks that must agree with the reference clock before the service's time is set to it. */
const agreeingBlocks = 3
/** A difference between this machine's clock and the service's time, in milliseconds, that is logged at startup. */
const reportedDifferenceMs = 1_000

/** Options of {@link createSteadyClock}. */
export type SteadyClockOptions = {
  reference: ReferenceClock
  log: Pick<Log, 'warn'>
  /** Called for each detected step of the reference clock. */
  stepped?: () => void
}

/**
 * Creates the service's clock: the monotonic clock plus an offset that is corrected only for drift. A step of the
 * reference clock is detected within a second and has no effect. All instances store the same offset to compensate for
 * it, so instances that start later agree with them.
 *
 * The service's time is set to the reference clock only while no auction is open, and once the chain's newest blocks
 * show that the reference clock is right.
 *
 * @throws the error of `reference.read` if one of the first readings fails. After later errors, the clock keeps running.
 */
export async function createSteadyClock(
  own: Clock,
  { reference, log, stepped = () => {} }: SteadyClockOptions,
): Promise<{ clock: Required<ServiceClock>; stop(): void }> {
  let last = Number.NEGATIVE_INFINITY
  let followed: FollowedStep | null = null
  let block = { number: -1n, agreeing: 0 }
  let stopped = false
  let cancel = () => {}

  const read = async (now: number | null) => {
    const sentAt = own.monotonic()
    const answer = await reference.read(now)
    return { sentAt, receivedAt: own.monotonic(), ...answer }
  }

  let time: SteadyTime = firstTime(null, await read(null))
  for (let readings = 1; readings < firstReadings; readings += 1) time = firstTime(time, await read(null))

  const now = () => {
    // In whole milliseconds, because times are sent and stored as integers. Corrections for drift do not turn it back.
    const next = Math.floor(own.monotonic() + time.fromMonotonic)
    if (next > last || last - next > stepMs) last = next
    return last
  }

  const measure = async () => {
    const reading = await read(now())
    const verdict = judgeReading(time, reading)
    const milliseconds = Math.round(verdict.apart)
    if (verdict.do === 'keep') await reference.setOffset({ from: time.offset, to: verdict.time.offset })
    const step = time.offset - verdict.time.offset
    time = verdict.time
    if (verdict.do === 'follow') {
      followed = { by: verdict.apart, at: own.monotonic() }
      log.warn({ milliseconds }, "the service's time was set; following it")
    } else if (Math.abs(step) > stepMs) {
      stepped()
      log.warn({ milliseconds: step }, `the ${reference.name} clock was stepped; keeping the service's time`)
    }
  }

  const schedule = () => {
    if (stopped) return
    cancel = own.after(readEveryMs, () => {
      // The store reports database outages. The clock keeps running.
      void measure()
        .catch(() => {})
        .finally(schedule)
    })
  }

  const ahead = own.now() - now()
  if (Math.abs(ahead) > reportedDifferenceMs) {
    log.warn({ milliseconds: ahead }, "this machine's clock differs from the service's time")
  }
  schedule()
  return {
    clock: {
      ...own,
      now,
      ageOf: (openedAt) => auctionAge(openedAt, { now: now(), monotonic: own.monotonic(), followed }),
      offset: () => time.offset,
      observeBlock({ number, timestamp }) {
        if (number === block.number) return
        const { offset } = time
        const fits = fitsReference({ now: now(), offset, block: Number(timestamp) * 1_000 })
        block = { number, agreeing: fits ? block.agreeing + 1 : 0 }
        // If the write fails, a later block repeats it.
        if (block.agreeing >= agreeingBlocks) void reference.resetOffset(offset).catch(() => {})
      },
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}

/**
 * Creates the reference for a service with its own database: the machine's clock.
 *
 * @param seenAt a time that the service has reached, in Unix milliseconds. If the machine's clock shows an earlier time,
 * the service's time starts at `seenAt`.
 */
export function createMachineReference(
  own: Pick<Clock, 'now'>,
  isAuctionOpen: () => Promise<boolean>,
  seenAt = 0,
): ReferenceClock {
  let stored = offsetSince(seenAt, own.now())
  return {
    name: 'machine',
    read: async () => ({ time: own.now(), offset: stored, agreedAt: null }),
    async setOffset({ from, to }) {
      if (stored === from) stored = to
    },
    async resetOffset(from) {
      if (!(await isAuctionOpen()) && stored === from) stored = 0
    },
  }
}
