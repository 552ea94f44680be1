import type { Address } from 'viem'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'

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
  /** Sends a message after all earlier ones. The first recipients get it before this returns. */
  send(broadcast: Broadcast): void
  /** Resolves when everything has been sent. */
  flushed(): Promise<void>
}

/** Sends in one slice, which takes a few milliseconds. */
const sendsPerSlice = 256

/** Creates a queue that sends in call order, in slices. */
export function createBroadcasts(): Broadcasts {
  const queue: Broadcast[] = []
  const onFlushed: (() => void)[] = []
  /** How many recipients of the first broadcast have received it. */
  let sent = 0
  let remainingSends = sendsPerSlice

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
    if (remainingSends < sendsPerSlice) nextSlice.schedule()
  }
  const nextSlice = createSlicedTask(() => {
    remainingSends = sendsPerSlice
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
