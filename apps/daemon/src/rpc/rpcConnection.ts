import type { Socket } from 'node:net'
import { JSONRPCErrorCode } from 'json-rpc-2.0'
import { type AnswerMessage, encodeFailure } from './answerMessage.ts'
import { splitLines } from './splitLines.ts'

/** A caller's connection. */
export type RpcConnection = {
  /** Accepts no more calls. Resolves when pending calls are answered and the connection has ended. */
  stop(): Promise<void>
}

/** Maximum length of a line, in bytes. */
const maxLineBytes = 1024 * 1024
/** Maximum number of lines processed at the same time. Further lines wait. */
const maxConcurrentLines = 32
/** Bytes to discard after a line that is too long, before the connection is closed. */
const maxDiscardedBytes = 16 * 1024 * 1024

const { InvalidRequest, ParseError } = JSONRPCErrorCode
const endings = {
  too_long: encodeFailure(null, InvalidRequest, 'The line is longer than 1 MiB. Nothing after it is read.'),
  // A truncated line must not be executed, even if it happens to be valid JSON.
  half: encodeFailure(null, ParseError, 'The last line has no trailing newline and was not executed.'),
}

/**
 * Answers the lines of a socket as soon as each answer is ready. It stops reading from a caller that does not read its answers,
 * so that nothing accumulates. The socket must allow half-open connections: a caller that has closed its side (`nc -N`) still
 * receives its answers.
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

  // A broken connection affects only itself.
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
