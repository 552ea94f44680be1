/** Messages that wait to be handled. */
export type Inbox = {
  /** Has this done after all that was given before. */
  add(handle: () => void): void
}

/** How many are handled before the event loop turns: little, since verdicts and answers have their share of a turn too. */
const slice = 8
/** So many wait at most: whoever sends more is read no faster than it is handled. */
const mostWaiting = 4_096

/**
 * Handles what has arrived in slices between which the event loop turns. The kernel reports a thousand sockets at once; if
 * each were served on the spot, no timer, no verdict and no answer would get its turn before the last of them.
 */
export function createInbox(): Inbox {
  const waiting: (() => void)[] = []
  let scheduled = false

  const turn = () => {
    for (let left = slice; left > 0; left -= 1) waiting.shift()?.()
    scheduled = waiting.length > 0
    if (scheduled) setImmediate(turn)
  }

  return {
    add(handle) {
      waiting.push(handle)
      if (waiting.length > mostWaiting) waiting.shift()?.()
      if (!scheduled) setImmediate(turn)
      scheduled = true
    },
  }
}
