import type { Clock } from '@firmquote/core/utils'
import type { HasDefect } from './defects.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** One run of an instance's process, from start to end. The process's pending work is dropped when the run ends. */
export type Life = ReturnType<typeof createLife>

/**
 * An instance's wall clock. `offset` is the error of its time in milliseconds, which persists across restarts. `kept` is
 * the part that this process added at its start, so that its time did not go back.
 */
export type Wall = { offset: number; kept: number }

/** Virtual time zero, in Unix milliseconds. */
export const epoch = 1_800_000_000_000

/** Starts a life. */
export function createLife(
  { timeline, random, wall, has = () => false }: { timeline: Timeline; random: Random; wall: Wall; has?: HasDefect },
  /** `id` is unique within the history, and `instance` is the instance's number. */
  { id, instance }: { id: number; instance: number },
) {
  let alive = true
  let heldUpUntil = 0
  // A monotonic clock starts when its machine boots, so its values are not comparable across machines.
  const monotonicOffset = random.between(1_000, 10_000_000)
  const startedAt = timeline.now()

  /**
   * Runs a callback after a delay, but not before a suspended process resumes. The callback does not run if the process
   * has ended.
   */
  const after = (milliseconds: number, run: () => void) => {
    let cancel = () => {}
    const attempt = () => {
      if (!alive) return
      if (timeline.now() < heldUpUntil) cancel = timeline.at(heldUpUntil, attempt)
      else run()
    }
    cancel = timeline.at(timeline.now() + milliseconds, attempt)
    return () => cancel()
  }

  return {
    id,
    instance,
    isAlive: () => alive,
    /** Ends the process and cancels its timers. */
    end: () => {
      alive = false
    },
    after,
    /** Suspends the process for this many milliseconds, as a long garbage collection or swapping would. */
    holdUp(milliseconds: number) {
      heldUpUntil = Math.max(heldUpUntil, timeline.now() + milliseconds)
    },
    heldUpUntil: () => heldUpUntil,
    clock: {
      now: () => epoch + timeline.now() + wall.offset,
      monotonic: () => monotonicOffset + timeline.now() - startedAt + (has('monotonic clock jumps') ? wall.offset : 0),
      after: (milliseconds, callback) => after(Math.max(milliseconds, 0) + random.below(3), callback),
    } satisfies Clock,
  }
}
