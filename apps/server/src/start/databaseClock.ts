// Why: docs/decisions/0049-one-instance-follows-the-chain.md
import type { Clock } from '@firmquote/core'
import type { Log } from '../app/serviceDeps.ts'

/** How often the database is asked for its time, in milliseconds. */
const measureEveryMs = 5_000
/** So often it is asked at first: the quickest answer says it best. */
const firstMeasurements = 3
/** A clock that is ahead by at most so many milliseconds waits; one that is further ahead goes back, or auctions would last that much longer. */
const mostHeldMs = 1_000

/**
 * Makes the clock of an instance among several. Its wall clock is the database's, which decides for all of them when an auction is
 * over; jumps of the machine's own have no effect. The database's time lies between the asking and the answer: what is known of it
 * stays as it is while it fits, so that slow answers move nothing. It does not go back, unless the database's does by
 * more than a second.
 *
 * @param readTime the database's time, Unix milliseconds.
 * @throws what `readTime` throws at first; later failures leave the clock as it is.
 */
export async function createDatabaseClock(
  own: Clock,
  { readTime, log }: { readTime: () => Promise<number>; log: Pick<Log, 'warn'> },
): Promise<{ clock: Clock; stop(): void }> {
  /** What the database's time is above the monotonic clock. */
  let offset: number | null = null
  let told = Number.NEGATIVE_INFINITY
  let stopped = false
  let cancel = () => {}

  const now = () => {
    // Whole milliseconds, as every wall clock: they travel and are kept as integers.
    const time = Math.floor(own.monotonic() + (offset ?? 0))
    if (time > told || told - time > mostHeldMs) told = time
    return told
  }

  const measure = async () => {
    const before = own.monotonic()
    const time = await readTime()
    const [least, most] = [time - own.monotonic(), time - before]
    const next = offset === null ? (least + most) / 2 : Math.min(Math.max(offset, least), most)
    const step = next - (offset ?? next)
    if (Math.abs(step) > mostHeldMs) {
      log.warn({ milliseconds: Math.round(step) }, 'the clock of the database has jumped, and this one with it')
    }
    offset = next
  }

  const schedule = () => {
    if (stopped) return
    cancel = own.after(measureEveryMs, () => {
      // The store says itself that it does not answer; the clock runs on.
      void measure()
        .catch(() => {})
        .finally(schedule)
    })
  }

  for (let measured = 0; measured < firstMeasurements; measured += 1) await measure()
  const ahead = own.now() - now()
  if (Math.abs(ahead) > mostHeldMs) {
    log.warn(
      { milliseconds: Math.round(ahead) },
      "the clock of this machine differs from the database's, which is taken",
    )
  }
  schedule()
  return {
    clock: { ...own, now },
    stop() {
      stopped = true
      cancel()
    },
  }
}
