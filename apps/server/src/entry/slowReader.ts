import type { Socket } from 'node:net'
import type { Clock } from '@firmquote/core/utils'
import type { EntryLimits } from './entryLimits.ts'

/** Detects clients that are not reading. */
export type ReaderWatch = {
  /** Must be called after each write. */
  wrote(): void
  stop(): void
}

/**
 * Calls `cut` if more than `unreadBytes` are unread, or if the client reads nothing for `stalledMs` while data is
 * waiting (detected within twice that time). No timer is set for clients that keep up.
 *
 * @param waiting returns the number of bytes still to be sent.
 * @param connection the underlying socket.
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

/** Number of bytes from a socket that the kernel has accepted. */
export function takenBy({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength
}
