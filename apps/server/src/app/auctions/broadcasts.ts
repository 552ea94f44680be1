import type { Address } from 'viem'
import { createSlicedTask } from '../../scheduling/slicedTask.ts'

/** An authenticated connection of a backer. */
export type BackerSession = {
  address: Address
  /** Sends JSON text. Never throws. */
  send(frame: string): void
  /** Whether the backer accepts the `traceparent` of an RFQ; default false. */
  traces?: boolean
}

/** A message, already JSON text, and the sessions that it goes to. */
export type Broadcast = { frame: string; recipients: readonly BackerSession[] }

/** Sends messages to many backers without blocking the event loop. */
export type Broadcasts = {
  /** Sends a message after all earlier ones. The first recipients get it at once. */
  send(broadcast: Broadcast): void
  /** Resolves when everything has been sent. */
  flushed(): Promise<void>
}

/** How many sends one turn of the event loop holds: a few milliseconds. */
const sendsPerTurn = 256

/** Creates a queue that sends in the order of the calls, in slices. */
export function createBroadcasts(): Broadcasts {
  const queue: Broadcast[] = []
  const onFlushed: (() => void)[] = []
  /** How many recipients of the first broadcast have it. */
  let sent = 0
  let remainingSends = sendsPerTurn

  const sendSlice = () => {
    while (queue[0]) {
      const { frame, recipients } = queue[0]
      const end = Math.min(recipients.length, sent + remainingSends)
      remainingSends -= end - sent
      for (const recipient of recipients.slice(sent, end)) recipient.send(frame)
      sent = end
      if (sent < recipients.length) break
      queue.shift()
      sent = 0
    }
    if (queue.length === 0) for (const resolve of onFlushed.splice(0)) resolve()
    if (remainingSends < sendsPerTurn) turn.schedule()
  }
  const turn = createSlicedTask(() => {
    remainingSends = sendsPerTurn
    sendSlice()
  })

  return {
    send(broadcast) {
      queue.push(broadcast)
      sendSlice()
    },
    flushed: () => (queue.length > 0 ? new Promise((resolve) => onFlushed.push(resolve)) : Promise.resolve()),
  }
}
