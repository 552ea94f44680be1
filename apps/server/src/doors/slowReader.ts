import type { Socket } from 'node:net'
import type { Clock } from '@firmquote/core'
import type { DoorLimits } from './doorLimits.ts'

/** Watches how a reader keeps up. */
export type ReaderWatch = {
  /** To be called after each write. */
  wrote(): void
  stop(): void
}

/**
 * Calls `cut` once a reader leaves more than `unreadBytes` waiting, or takes nothing at all for `stalledMs` while
 * something waits (the second is noticed within twice that time). It costs readers that keep up no timer.
 *
 * @param waiting says how many bytes wait for it.
 * @param connection is what they are written to in the end.
 */
export function watchReader(
  { waiting, connection, cut }: { waiting: () => number; connection: Socket; cut: () => void },
  { clock, limits }: { clock: Clock; limits: Pick<DoorLimits, 'unreadBytes' | 'stalledMs'> },
): ReaderWatch {
  let cancel: (() => void) | null = null

  const stop = () => {
    cancel?.()
    cancel = null
  }
  const watch = () => {
    const before = takenBy(connection)
    cancel = clock.after(limits.stalledMs, () => {
      cancel = null
      if (waiting() === 0) return
      if (takenBy(connection) === before) cut()
      else watch()
    })
  }
  return {
    wrote() {
      const bytes = waiting()
      if (bytes === 0) return
      if (bytes > limits.unreadBytes) {
        stop()
        cut()
      } else if (!cancel) watch()
    },
    stop,
  }
}

/** How many bytes the kernel has taken. */
function takenBy({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength
}
