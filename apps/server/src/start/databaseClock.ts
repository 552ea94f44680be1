// Why: docs/decisions/0049-one-instance-follows-the-chain.md
import type { Clock } from '@firmquote/core'
import type { Log } from '../app/serviceDeps.ts'

/** Interval between two reads of the database's time, in milliseconds. */
const measureEveryMs = 5_000
/** Number of reads at the start; the fastest one is the most precise. */
const firstMeasurements = 3
/**
 * Maximum lead in milliseconds for which the clock waits. With a greater lead it jumps back, because auctions would otherwise last that much longer.
 */
const maxHeldMs = 1_000

/**
 * Creates the clock of an instance that shares a database. Its wall clock follows the database's, which decides when auctions end; jumps of the
 * machine's clock have no effect. Each read bounds the offset between the request and the response. The offset only changes when it leaves these
 * bounds, so slow responses have no effect. The clock is monotonic, unless the database's jumps back by more than a second.
 *
 * @param readTime reads the database's time in Unix milliseconds.
 * @throws errors of the first reads of `readTime`; after later errors the clock continues.
 */
export async function createDatabaseClock(
  own: Clock,
  { readTime, log }: { readTime: () => Promise<number>; log: Pick<Log, 'warn'> },
): Promise<{ clock: Clock; stop(): void }> {
  /** Offset of the database's time from the monotonic clock. */
  let offset: number | null = null
  let last = Number.NEGATIVE_INFINITY
  let stopped = false
  let cancel = () => {}

  const now = () => {
    // Integer milliseconds, like every wall clock, because times are sent and stored as integers.
    const time = Math.floor(own.monotonic() + (offset ?? 0))
    if (time > last || last - time > maxHeldMs) last = time
    return last
  }

  const measure = async () => {
    const before = own.monotonic()
    const time = await readTime()
    const [least, most] = [time - own.monotonic(), time - before]
    const next = offset === null ? (least + most) / 2 : Math.min(Math.max(offset, least), most)
    const step = next - (offset ?? next)
    if (Math.abs(step) > maxHeldMs) {
      log.warn({ milliseconds: Math.round(step) }, 'the clock of the database jumped; following it')
    }
    offset = next
  }

  const schedule = () => {
    if (stopped) return
    cancel = own.after(measureEveryMs, () => {
      // The store reports outages of the database; the clock continues.
      void measure()
        .catch(() => {})
        .finally(schedule)
    })
  }

  for (let measured = 0; measured < firstMeasurements; measured += 1) await measure()
  const ahead = own.now() - now()
  if (Math.abs(ahead) > maxHeldMs) {
    log.warn(
      { milliseconds: Math.round(ahead) },
      'the clock of this machine differs from that of the database; using the clock of the database',
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
