import { lstat } from 'node:fs/promises'
import { connect } from 'node:net'
import { decode, type Shape } from '@firmquote/core/wire'
import * as z from 'zod/mini'
import { CallRefusedError, SocketCallError } from './socketErrors.ts'
import { splitLines } from './splitLines.ts'

/** Options of {@link callSocket}. */
export type CallSocketOptions = {
  socketPath: string
  /** Name of the program that serves the socket, for error messages, such as `server`. */
  program: string
  method: string
  params: Readonly<Record<string, unknown>>
  /** Milliseconds to wait for the answer. Default: 30,000. */
  timeoutMs?: number
}

/** Maximum length of an answer, in bytes. */
const maxAnswerBytes = 10 * 1024 * 1024

type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } | undefined }

const answerShape: Shape<Answer> = z.looseObject({
  jsonrpc: z.literal('2.0'),
  result: z.optional(z.unknown()),
  error: z.optional(z.looseObject({ code: z.number(), message: z.string(), data: z.optional(z.unknown()) })),
})

/**
 * Calls one method of a program over its Unix socket, on a new connection. Only connects to a socket that is
 * private to its owner, who must be this user. Root may call every user's socket.
 *
 * @returns the result, not decoded.
 * @throws {CallRefusedError} if the program answers with an error.
 * @throws {SocketCallError} if there is no such socket, or if no answer arrives.
 */
export async function callSocket(options: CallSocketOptions): Promise<unknown> {
  const { socketPath, program, method, params, timeoutMs = 30_000 } = options
  await requirePrivateSocket(socketPath, program)
  const socket = connect({ path: socketPath, signal: AbortSignal.timeout(timeoutMs) })
  let sent = false
  socket.once('connect', () => {
    sent = true
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`)
  })
  try {
    for await (const line of splitLines(socket, { longest: maxAnswerBytes, discard: 0 })) {
      if (line.kind === 'line') return readAnswer(line.bytes, program)
    }
  } catch (cause) {
    if (cause instanceof CallRefusedError || cause instanceof SocketCallError) throw cause
    if (!sent) {
      throw new SocketCallError('not_listening', `No ${program} is listening on ${socketPath}: start it first.`, {
        cause,
      })
    }
    const reason = socket.errored?.name === 'AbortError' ? `did not answer within ${timeoutMs / 1_000} s` : 'failed'
    throw unanswered(program, reason, cause)
  } finally {
    socket.destroy()
  }
  throw unanswered(program, 'closed the connection without an answer')
}

function readAnswer(bytes: Uint8Array, program: string): unknown {
  const answer = decode(answerShape, parse(bytes))
  if (!answer.ok) throw unanswered(program, 'sent an answer that is not JSON-RPC 2.0')
  const { error, result } = answer.value
  if (error !== undefined) throw new CallRefusedError(error)
  return result
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}

function unanswered(program: string, reason: string, cause?: unknown): SocketCallError {
  const message = `The ${program} ${reason}. The command may have been executed: check before you repeat it.`
  return new SocketCallError('no_answer', message, { cause })
}

async function requirePrivateSocket(path: string, program: string): Promise<void> {
  const uid = process.getuid?.()
  if (uid === undefined) {
    const message = `This system does not support Unix sockets with owners: run the ${program} on Linux.`
    throw new SocketCallError('unsupported', message)
  }
  const stats = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    const message =
      cause.code === 'EACCES'
        ? `You may not access ${path}: run this command as the ${program}'s user or as root.`
        : `There is no socket at ${path}: start the ${program}, or check the path.`
    throw new SocketCallError('missing', message, { cause })
  })
  if (stats.isSymbolicLink() || !stats.isSocket()) {
    throw new SocketCallError('not_a_socket', `${path} is not a socket: check the path.`)
  }
  if (uid !== 0 && stats.uid !== uid) {
    const message = `${path} belongs to another user (uid ${stats.uid}): run this command as that user or as root.`
    throw new SocketCallError('other_owner', message)
  }
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8)
    throw new SocketCallError('open_to_others', `Other users can access ${path} (mode ${mode}): its mode must be 600.`)
  }
}
