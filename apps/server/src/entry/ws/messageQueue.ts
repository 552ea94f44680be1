import { createSlicedTask } from '../../scheduling/eventLoop.ts'

/** Received messages that wait to be handled. */
export type MessageQueue = {
  /** Runs a handler after all handlers that were added before. */
  add(handle: () => void): void
}

/** Handlers per event-loop slice, few enough that verdicts and answers are not delayed. */
const handlersPerSlice = 8
/** Length above which each added message handles the oldest one synchronously. This slows down reading. */
const maxLength = 4_096

/**
 * Creates a queue that handles messages in slices. The kernel may report a thousand readable sockets at the same time; handling all of them would
 * delay timers, verdicts and answers.
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
