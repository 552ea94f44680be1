import type { Socket } from 'node:net'
import { encodeJson } from '@firmquote/core'
import { PendingReplies } from '../backer/pendingReplies.ts'
import type { Clock } from '../clock.ts'
import { AbortedError, ConnectionError, InvalidResponseError } from '../errors.ts'
import type { CallOptions } from '../http/callGuard.ts'
import { decodeAnswer, parseAnswer } from '../wire/decodeAnswer.ts'
import { nullable, number, object, oneOf, string, unknown } from '../wire/shape.ts'
import { DaemonError } from './rfqDaemonErrors.ts'
import { LineSplitter } from './rfqDaemonLines.ts'
import { openDaemonSocket } from './rfqDaemonSocket.ts'

/**
 * JSON-RPC 2.0 over one Unix socket, one JSON object a line. Opens the socket when it is first needed and again after it
 * broke, and lets the process end while nothing is under way.
 */
export class RfqDaemonConnection {
  readonly #path: string
  readonly #replies: PendingReplies<unknown>
  #socket: Promise<Socket> | null = null
  #open = 0
  #closed = false

  constructor(path: string, clock: Clock) {
    this.#path = path
    this.#replies = new PendingReplies(clock)
  }

  /** @returns the result as it came. */
  async call(method: string, params: unknown, options: CallOptions & { timeoutMs: number }): Promise<unknown> {
    if (options.signal?.aborted) throw new AbortedError({ sent: 'no', cause: options.signal.reason })
    if (this.#closed) throw new ConnectionError('This client has been closed; make a new one.', { sent: 'no' })
    this.#socket ??= this.#connect()
    const socket = await this.#socket
    if (socket.destroyed) throw new ConnectionError('The daemon has closed the line.', { sent: 'no' })
    if (options.signal?.aborted) throw new AbortedError({ sent: 'no', cause: options.signal.reason })
    const id = this.#replies.nextId()
    const reply = this.#replies.wait(id, options)
    if (this.#open++ === 0) socket.ref()
    try {
      socket.write(`${encodeJson({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) })}\n`)
      return await reply
    } finally {
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
          : new ConnectionError('The daemon closed the line before it answered.', { sent: 'maybe', cause: failure }),
      )
    })
    return socket
  }

  #receive(line: string): void {
    const { id, error, result } = readReply(line)
    if (error === undefined) {
      this.#replies.settle(id ?? undefined, result)
      return
    }
    const createError = () => new DaemonError(error.code, error.message, error.data)
    // Without an id the daemon could not read what it got: whoever waits, waits in vain.
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

function readReply(line: string) {
  const what = "The daemon's answer"
  return decodeAnswer(replyShape, parseAnswer(line, what), what)
}
