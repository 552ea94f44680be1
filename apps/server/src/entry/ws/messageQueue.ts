import { createSlicedTask } from '../../scheduling/eventLoop.ts'

/** Received messages waiting to be handled. */
export type MessageQueue = {
  /** Runs a handler after all earlier ones. */
  add(handle: () => void): void
}

/** Number of handlers per event-loop slice, low enough not to delay verdicts and answers. */
const handlersPerSlice = 8
/** Queue length above which adding a message also handles the oldest one synchronously, to slow down reading. */
const maxLength = 4_096

/**
 * Creates a queue that handles messages in slices. The kernel may report a thousand readable sockets at once, and
 * handling them together would delay timers, verdicts and answers.
 */
export function createMessageQueue(): MessageQueue {
  const queue: (() => void)[] = []
  const slices = createSlicedTask(() => {
    for (let left = handlersPerSlice; left > 0; left -= 1) queue.shift()?.()
    if (queue.length > 0) slices.schedule()
  })

  return {
    add(handle) {
      queue.push(handle)
      if (queue.length > maxLength) queue.shift()?.()
      slices.schedule()
    },
  }
}
