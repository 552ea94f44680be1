import type { Socket } from 'node:net'
import { JSONRPCErrorCode } from 'json-rpc-2.0'
import { type AnswerMessage, encodeFailure } from './answerMessage.ts'
import { splitLines } from './splitLines.ts'

/** A connection from a caller. */
export type RpcConnection = {
  /** Stops accepting calls. Resolves when pending calls have been answered and the connection has ended. */
  stop(): Promise<void>
}

/** Maximum length of a line, in bytes. */
const maxLineBytes = 1024 * 1024
/** Maximum number of lines processed concurrently. Further lines wait. */
const maxConcurrentLines = 32
/** Maximum number of bytes to discard after an overlong line before the connection is closed. */
const maxDiscardedBytes = 16 * 1024 * 1024

const { InvalidRequest, ParseError } = JSONRPCErrorCode
const endings = {
  too_long: encodeFailure(null, InvalidRequest, 'The line is longer than 1 MiB. Later lines are not read.'),
  // A truncated line must not be executed, even if it happens to be valid JSON.
  half: encodeFailure(null, ParseError, 'The last line has no trailing newline and was not executed.'),
}

/**
 * Answers each line from a socket as soon as its answer is ready. Stops reading from a caller that does not read its
 * answers, so that unread answers do not accumulate. The socket must allow half-open connections: a caller that has
 * closed its sending side (`nc -N`) still receives its answers.
 */
export function serveConnection(socket: Socket, answerMessage: AnswerMessage): RpcConnection {
  let running = 0
  let stopping = false
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const send = (text: string | null) => {
    if (text !== null && socket.writable) socket.write(`${text}\n`)
  }
  const answer = async (line: Uint8Array) => {
    running += 1
    send(await answerMessage(line))
    running -= 1
    wake()
  }

  const serve = async () => {
    for await (const line of splitLines(socket, { longest: maxLineBytes, discard: maxDiscardedBytes })) {
      if (stopping) continue
      if (line.kind === 'line') void answer(line.bytes)
      else send(endings[line.kind])
      if (line.kind === 'too_long') {
        await until(() => running === 0)
        socket.end()
      }
      await until(() => socket.destroyed || (running < maxConcurrentLines && !socket.writableNeedDrain))
    }
    await until(() => running === 0)
    socket.end()
  }

  // An error on one connection must not affect others.
  socket.on('error', () => {})
  for (const event of ['drain', 'close']) socket.on(event, wake)
  serve().catch(() => socket.destroy())

  return {
    async stop() {
      stopping = true
      await until(() => running === 0)
      if (socket.destroyed) return
      await new Promise((closed) => {
        socket.once('close', closed)
        socket.end(() => socket.destroy())
      })
    },
  }
}
