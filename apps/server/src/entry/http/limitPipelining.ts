// Why: docs/decisions/0031-connection-limits.md
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@firmquote/core'
import type { EntryLimits } from '../entryLimits.ts'
import { takenBy } from '../slowReader.ts'

/** Why a connection was cut: it sent more requests than it may before their answers, or did not read what it got. */
export type CutReason = 'pipelining' | 'not_reading'

/** A connection with a request that is being answered, those that it has sent behind it, and how much it had taken at the last look. */
type Turn = { behind: Request[]; taken: number }
type Request = [IncomingMessage, ServerResponse]

/** Requests of all connections, each connection's one after the other. */
export type LimitConcurrency = {
  /** A listener of `request`. */
  serve(req: IncomingMessage, res: ServerResponse): void
  /** Whether a request of this connection is being answered. */
  isServing(socket: unknown): boolean
  stop(): void
}

/**
 * Answers the requests of a connection in their order, one at a time: what a client sends ahead of the answers costs
 * nothing until its turn, and nothing at all once the connection is gone. Node parses all that it has read at once, up to
 * 64 KiB, so reading less would come too late: a connection with more than `requestsInFlight` requests is cut. So is one
 * that takes nothing of its answers for `stalledMs` (noticed within twice that time).
 *
 * @param handle answers a request.
 * @param onIdle is called when an answer has gone out and no request waits behind it.
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
): LimitConcurrency {
  const turns = new Map<Socket, Turn>()
  let cancelSweep: (() => void) | undefined

  const cut = (socket: Socket, reason: CutReason) => {
    turns.delete(socket)
    onCut(socket, reason)
    destroyCheaply(socket)
  }
  const sweep = () => {
    cancelSweep = undefined
    for (const [socket, turn] of turns) {
      const taken = takenBy(socket)
      if (socket.writableLength > 0 && taken === turn.taken) cut(socket, 'not_reading')
      else turn.taken = taken
    }
    if (turns.size > 0) watch()
  }
  const watch = () => {
    cancelSweep ??= clock.after(limits.stalledMs, sweep)
  }
  const answer = (socket: Socket, req: IncomingMessage, res: ServerResponse) => {
    res.once('close', () => next(socket))
    handle(req, res)
  }
  const next = (socket: Socket) => {
    const following = socket.destroyed ? undefined : turns.get(socket)?.behind.shift()
    if (following) return answer(socket, ...following)
    turns.delete(socket)
    onIdle()
  }

  return {
    serve(req, res) {
      const { socket } = req
      // The rest of what was read before the connection was cut or refused.
      if (!socket.writable) return
      const turn = turns.get(socket)
      if (turn === undefined) {
        turns.set(socket, { behind: [], taken: -1 })
        watch()
        answer(socket, req, res)
      } else if (turn.behind.length + 1 < limits.requestsInFlight) turn.behind.push([req, res])
      else cut(socket, 'pipelining')
    },
    isServing: (socket) => turns.has(socket as Socket),
    stop() {
      cancelSweep?.()
    },
  }
}

/**
 * Destroys a connection with a thousand requests that nobody will answer: Node makes an error for each of them when the
 * connection closes, and their stack traces would hold up everyone for as long as a tenth of a second.
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
