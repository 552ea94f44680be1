import type { BackerSession } from '../service.ts'

/** One message and whom it goes to. */
export type Letter = { frame: string; to: readonly BackerSession[] }

/** Sends messages to many backers without holding up everything else. */
export type Broadcasts = {
  /** Sends this after all that was given before. The first go out at once. */
  send(letter: Letter): void
  /** Resolves when nothing is left to be sent. */
  done(): Promise<void>
}

/** How many are sent in one turn of the event loop: some milliseconds' worth. */
const slice = 256

/** Sends in the order of the calls, in slices between which the event loop turns, however many calls that takes. */
export function createBroadcasts(): Broadcasts {
  const waiting: Letter[] = []
  const wake: (() => void)[] = []
  /** How many of the first letter have gone out. */
  let sent = 0
  /** How many may still go out in this turn. */
  let left = slice
  let turning = false

  const sendSome = () => {
    while (left > 0 && waiting[0]) {
      const { frame, to } = waiting[0]
      const end = Math.min(to.length, sent + left)
      left -= end - sent
      for (; sent < end; sent += 1) to[sent]?.send(frame)
      if (sent < to.length) break
      waiting.shift()
      sent = 0
    }
    if (waiting.length === 0) for (const resolve of wake.splice(0)) resolve()
    if (turning || left === slice) return
    turning = true
    setImmediate(turn)
  }
  const turn = () => {
    turning = false
    left = slice
    sendSome()
  }

  return {
    send(letter) {
      waiting.push(letter)
      sendSome()
    },
    done: () => (waiting.length > 0 ? new Promise((resolve) => wake.push(resolve)) : Promise.resolve()),
  }
}
