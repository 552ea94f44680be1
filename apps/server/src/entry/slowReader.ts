import type { Socket } from 'node:net'
import type { Clock } from '@firmquote/core'
import type { EntryLimits } from './entryLimits.ts'

/** Watches whether a client reads what is sent to it. */
export type ReaderWatch = {
  /** To be called after each write. */
  wrote(): void
  stop(): void
}

/**
 * Calls `cut` once a client leaves more than `unreadBytes` waiting, or reads nothing at all for `stalledMs` while
 * something waits (noticed within twice that time). For clients that keep up no timer is set.
 *
 * @param waiting gives how many bytes wait to be sent.
 * @param connection is the socket that they are written to.
 */
export function watchReader(
  { waiting, connection, cut }: { waiting: () => number; connection: Socket; cut: () => void },
  { clock, limits }: { clock: Clock; limits: Pick<EntryLimits, 'unreadBytes' | 'stalledMs'> },
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

/** How many bytes of a connection the kernel has taken. */
export function takenBy({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength
}
