import type { Socket } from 'node:net'
import { type Clock, encodeJson, guardInput } from '@firmquote/core/utils'
import { PendingReplies } from '../backer/pendingReplies.ts'
import { AbortedError, ConnectionError, InvalidResponseError } from '../errors.ts'
import { type CallOptions, guardCall } from '../http/callGuard.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { nullable, number, object, oneOf, string, unknown } from '../wire/shape.ts'
import { DaemonError } from './rfqDaemonErrors.ts'
import { LineSplitter } from './rfqDaemonLines.ts'
import { openDaemonSocket } from './rfqDaemonSocket.ts'

/**
 * A JSON-RPC 2.0 connection over a Unix socket, with one JSON object per line. Opens the socket on first use, reopens
 * it after a failure, and keeps the process alive only while calls are pending.
 */
export class RfqDaemonConnection {
  readonly #path: string
  readonly #clock: Clock
  readonly #replies = new PendingReplies<unknown>()
  #socket: Promise<Socket> | null = null
  #open = 0
  #closed = false

  constructor(path: string, clock: Clock) {
    this.#path = path
    this.#clock = clock
  }

  /** @returns The result, not decoded. */
  async call(method: string, params: unknown, options: CallOptions & { timeoutMs: number }): Promise<unknown> {
    if (options.signal?.aborted) throw new AbortedError({ sent: 'no', cause: options.signal.reason })
    if (this.#closed) throw new ConnectionError('This client is closed. Create another one.', { sent: 'no' })
    this.#socket ??= this.#connect()
    const socket = await this.#socket
    if (socket.destroyed) throw new ConnectionError('The daemon closed the connection.', { sent: 'no' })
    if (options.signal?.aborted) throw new AbortedError({ sent: 'no', cause: options.signal.reason })
    const id = this.#replies.nextId()
    const call = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }
    const line = guardInput('params', () => encodeJson(call))
    const guard = guardCall(this.#clock, options)
    const reply = this.#replies.wait(id, guard)
    if (this.#open++ === 0) socket.ref()
    try {
      socket.write(`${line}\n`)
      return await reply
    } finally {
      guard.release()
      if (--this.#open === 0) socket.unref()
    }
  }

  close(): void {
    this.#closed = true
    this.#socket?.then(
      (socket) => socket.destroy(),
      () => {},
    )
  }

  async #connect(): Promise<Socket> {
    let socket: Socket
    try {
      socket = await openDaemonSocket(this.#path)
    } catch (error) {
      this.#socket = null
      throw error
    }
    if (this.#closed) {
      socket.destroy()
      throw new ConnectionError('The client was closed.', { sent: 'no' })
    }
    const lines = new LineSplitter()
    let failure: Error | undefined
    socket.on('data', (chunk) => {
      try {
        for (const line of lines.push(chunk)) this.#receive(line)
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('close', () => {
      this.#socket = null
      this.#replies.failAll(() =>
        failure instanceof InvalidResponseError
          ? failure
          : new ConnectionError('The daemon closed the connection before it answered.', {
              sent: 'maybe',
              cause: failure,
            }),
      )
    })
    return socket
  }

  #receive(line: string): void {
    const { id, error, result } = decodeReply(line)
    if (error === undefined) {
      this.#replies.settle(id ?? undefined, result)
      return
    }
    const createError = () => new DaemonError(error.code, error.message, error.data)
    // An error without an id means that the daemon failed to decode its input and will answer none of the pending
    // calls.
    if (id === null) this.#replies.failAll(createError)
    else this.#replies.fail(id, createError())
  }
}

const replyShape = object(
  { jsonrpc: oneOf('2.0'), id: nullable(string) },
  {
    result: unknown,
    error: object({ code: number, message: string }, { data: unknown }),
  },
)

function decodeReply(line: string) {
  const what = "The daemon's answer"
  return decodeAnswer(replyShape, parseAnswer(line, what), what)
}
