import type { BackerSession } from './service.ts'

/** One message and whom it goes to. */
export type Letter = { frame: string; to: readonly BackerSession[] }

/** Sends messages to many backers without holding up everything else. */
export type Broadcasts = {
  /** Sends this after all that was given before. The first go out at once. */
  send(letter: Letter): void
  /** Resolves when nothing is left to be sent. */
  done(): Promise<void>
}

/** How many are sent before the event loop gets its turn: some milliseconds' worth. */
const slice = 256

/** Sends in the order of the calls, in slices between which the event loop turns. */
export function createBroadcasts(): Broadcasts {
  const waiting: Letter[] = []
  const wake: (() => void)[] = []
  /** How many of the first letter have gone out. */
  let sent = 0
  let turning = false

  const turn = () => {
    let left = slice
    while (left > 0 && waiting[0]) {
      const { frame, to } = waiting[0]
      const end = Math.min(to.length, sent + left)
      left -= end - sent
      for (; sent < end; sent += 1) to[sent]?.send(frame)
      if (sent < to.length) break
      waiting.shift()
      sent = 0
    }
    turning = waiting.length > 0
    if (turning) setImmediate(turn)
    else for (const resolve of wake.splice(0)) resolve()
  }

  return {
    send(letter) {
      waiting.push(letter)
      if (!turning) turn()
    },
    done: () => (turning ? new Promise((resolve) => wake.push(resolve)) : Promise.resolve()),
  }
}
