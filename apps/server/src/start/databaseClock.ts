// Why: docs/decisions/0049-one-instance-follows-the-chain.md
import type { Clock } from '@firmquote/core/utils'
import type { Log } from '../app/serviceDeps.ts'

/** Interval between reads of the database's time, in milliseconds. */
const measureEveryMs = 5_000
/** Number of reads at startup. The fastest read is the most precise. */
const firstMeasurements = 3
/**
 * Maximum lead over the database's clock, in milliseconds, that is corrected by pausing the clock. If its lead is
 * greater, the clock jumps back, because otherwise auctions would last that much longer.
 */
const maxHeldMs = 1_000

/**
 * Creates the clock for an instance that shares a database. The instance's wall clock follows the database's clock,
 * which determines when auctions end. Jumps in the machine's clock have no effect. The times when a read's request was
 * sent and its response arrived bound the offset. The offset changes only if it is outside these bounds, so slow
 * responses have no effect. The clock never runs backwards unless the database's clock jumps back by more than a
 * second.
 *
 * @param readTime reads the database's time in Unix milliseconds.
 * @throws the error of `readTime` if one of the first reads fails. After later errors, the clock keeps running.
 */
export async function createDatabaseClock(
  own: Clock,
  { readTime, log }: { readTime: () => Promise<number>; log: Pick<Log, 'warn'> },
): Promise<{ clock: Clock; stop(): void }> {
  /** Offset from the monotonic clock to the database's time. */
  let offset: number | null = null
  let last = Number.NEGATIVE_INFINITY
  let stopped = false
  let cancel = () => {}

  const now = () => {
    // The result is in whole milliseconds, like every wall clock here, because times are sent and stored as integers.
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
      log.warn({ milliseconds: Math.round(step) }, 'the database clock jumped; following it')
    }
    offset = next
  }

  const schedule = () => {
    if (stopped) return
    cancel = own.after(measureEveryMs, () => {
      // The store reports database outages. The clock keeps running.
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
      "this machine's clock differs from the database's; using the database's clock",
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
