import { createSlicedTask } from '../../scheduling/slicedTask.ts'

/** Received messages that wait to be handled. */
export type MessageQueue = {
  /** Runs a handler after those that were added before. */
  add(handle: () => void): void
}

/** Handlers per turn of the event loop: few, so that verdicts and answers get their share of it. */
const handlersPerTurn = 8
/** Beyond this length each message that is added has the oldest one handled at once, which slows the reading down. */
const maxLength = 4_096

/**
 * Creates a queue that handles messages in slices. The kernel may report a thousand sockets in one turn; if each were
 * served there, timers, verdicts and answers would wait for the last of them.
 */
export function createMessageQueue(): MessageQueue {
  const queue: (() => void)[] = []
  const turn = createSlicedTask(() => {
    for (let left = handlersPerTurn; left > 0; left -= 1) queue.shift()?.()
    if (queue.length > 0) turn.schedule()
  })

  return {
    add(handle) {
      queue.push(handle)
      if (queue.length > maxLength) queue.shift()?.()
      turn.schedule()
    },
  }
}
