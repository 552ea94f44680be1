import type { Clock } from '@firmquote/core'
import type { HasDefect } from './defects.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'

/** One run of one instance's process, from its start to its end. Nothing that it has begun happens after its end. */
export type Life = {
  /** No other life of the history has it. */
  id: number
  /** The instance's number. */
  instance: number
  isAlive(): boolean
  /** Ends it: everything that was planned for it is forgotten. */
  end(): void
  /** Does something in so many milliseconds, or when the process is no longer held up, unless it has ended by then. */
  after(milliseconds: number, run: () => void): () => void
  /** Lets nothing happen for so many milliseconds: a long collection of garbage, or a machine that swaps. */
  holdUp(milliseconds: number): void
  heldUpUntil(): number
  clock: Clock
}

/** The wall clock of one instance: how far it is off, in milliseconds. It outlives the process. */
export type Wall = { offset: number }

/** Virtual time zero, in Unix milliseconds. */
export const epoch = 1_800_000_000_000

/** Begins a life. */
export function createLife(
  { timeline, random, wall, has = () => false }: { timeline: Timeline; random: Random; wall: Wall; has?: HasDefect },
  { id, instance }: { id: number; instance: number },
): Life {
  let alive = true
  let heldUpUntil = 0
  // A monotonic clock counts from the machine's start, which says nothing to anyone else.
  const monotonicOffset = random.between(1_000, 10_000_000)
  const startedAt = timeline.now()

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
    end: () => {
      alive = false
    },
    after,
    holdUp(milliseconds) {
      heldUpUntil = Math.max(heldUpUntil, timeline.now() + milliseconds)
    },
    heldUpUntil: () => heldUpUntil,
    clock: {
      now: () => epoch + timeline.now() + wall.offset,
      monotonic: () => monotonicOffset + timeline.now() - startedAt + (has('monotonic clock jumps') ? wall.offset : 0),
      after: (milliseconds, callback) => after(Math.max(milliseconds, 0) + random.below(3), callback),
    },
  }
}
