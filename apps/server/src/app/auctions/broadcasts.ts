import type { Address } from 'viem'
import { createSlicedTask } from '../../scheduling/eventLoop.ts'

/** A backer's authenticated connection. */
export type BackerSession = {
  address: Address
  /** Sends JSON text. Never throws. */
  send(frame: string): void
  /** Whether the backer accepts an RFQ's `traceparent`; default false. */
  traces?: boolean
}

/** A message, encoded as JSON, and the sessions to send it to. */
export type Broadcast = { frame: string; recipients: readonly BackerSession[] }

/** Sends messages to many backers without blocking the event loop. */
export type Broadcasts = {
  /** Queues a message after all earlier ones. The first recipients receive the message before the call returns. */
  send(broadcast: Broadcast): void
  /** Resolves once everything queued so far has been sent. */
  flushed(): Promise<void>
}

/** Number of sends per slice. Sending a slice takes a few milliseconds. */
const sendsPerSlice = 256

/** Creates a queue that sends messages in slices, in call order. */
export function createBroadcasts(): Broadcasts {
  const queue: Broadcast[] = []
  const onFlushed: (() => void)[] = []
  /** Number of recipients that have received the first queued broadcast. */
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
