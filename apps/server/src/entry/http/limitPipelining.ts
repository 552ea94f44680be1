// Why: docs/decisions/0031-connection-limits.md
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@firmquote/core/utils'
import type { EntryLimits } from '../entryLimits.ts'
import { takenBy } from '../slowReader.ts'

/** Why a connection was closed: too many unanswered requests, or unread responses. */
export type CutReason = 'pipelining' | 'not_reading'

/**
 * A connection with a request in progress, its queued requests, and the bytes that the kernel had accepted at the last
 * sweep.
 */
type ActiveConnection = { queued: Request[]; taken: number }
type Request = [IncomingMessage, ServerResponse]

/** Serves requests from all connections, one at a time per connection. */
export type PipeliningLimit = {
  /** The listener for the server's `request` event. */
  serve(req: IncomingMessage, res: ServerResponse): void
  /** Whether a request from this connection is in progress. */
  isServing(socket: unknown): boolean
  stop(): void
}

/**
 * Answers each connection's requests in order, one at a time. Queued requests cost nothing until served, and are
 * dropped with the connection. Node.js parses all the data it reads, up to 64 KiB at a time, so pausing the connection
 * would come too late. Instead, the server closes a connection with more than `requestsInFlight` requests. It also
 * closes a connection that reads none of its response for `stalledMs` (detected within twice that time).
 *
 * @param handle answers a request.
 * @param onIdle called when a response has been sent and no request is queued.
 */
export function limitPipelining(
  handle: (req: IncomingMessage, res: ServerResponse) => void,
  {
    clock,
    limits,
    onIdle,
    onCut,
  }: {
    clock: Pick<Clock, 'after'>
    limits: Pick<EntryLimits, 'requestsInFlight' | 'stalledMs'>
    onIdle: () => void
    onCut: (socket: Socket, reason: CutReason) => void
  },
): PipeliningLimit {
  const active = new Map<Socket, ActiveConnection>()
  let cancelSweep: (() => void) | undefined

  const cut = (socket: Socket, reason: CutReason) => {
    active.delete(socket)
    onCut(socket, reason)
    destroyCheaply(socket)
  }
  const sweep = () => {
    cancelSweep = undefined
    for (const [socket, connection] of active) {
      const taken = takenBy(socket)
      if (socket.writableLength > 0 && taken === connection.taken) cut(socket, 'not_reading')
      else connection.taken = taken
    }
    if (active.size > 0) watch()
  }
  const watch = () => {
    cancelSweep ??= clock.after(limits.stalledMs, sweep)
  }
  const answer = (socket: Socket, req: IncomingMessage, res: ServerResponse) => {
    res.once('close', () => next(socket))
    handle(req, res)
  }
  const next = (socket: Socket) => {
    const following = socket.destroyed ? undefined : active.get(socket)?.queued.shift()
    if (following) return answer(socket, ...following)
    active.delete(socket)
    onIdle()
  }

  return {
    serve(req, res) {
      const { socket } = req
      // Drops requests that were parsed before the connection was closed.
      if (!socket.writable) return
      const connection = active.get(socket)
      if (connection === undefined) {
        active.set(socket, { queued: [], taken: -1 })
        watch()
        answer(socket, req, res)
      } else if (connection.queued.length + 1 < limits.requestsInFlight) connection.queued.push([req, res])
      else cut(socket, 'pipelining')
    },
    isServing: (socket) => active.has(socket as Socket),
    stop() {
      cancelSweep?.()
    },
  }
}

/**
 * Closes a connection that has up to a thousand unanswered requests. Node.js creates an error for each unanswered
 * request, and capturing their stack traces would block the event loop for up to 100 ms.
 */
function destroyCheaply(socket: Socket): void {
  const { stackTraceLimit } = Error
  socket.prependOnceListener('close', () => {
    Error.stackTraceLimit = 0
  })
  socket.once('close', () => {
    Error.stackTraceLimit = stackTraceLimit
  })
  socket.destroy()
}
