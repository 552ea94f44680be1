import type { Socket } from 'node:net'
import { JSONRPCErrorCode } from 'json-rpc-2.0'
import { type AnswerMessage, encodeFailure } from './answerMessage.ts'
import { splitLines } from './splitLines.ts'

/** One caller's connection. */
export type RpcConnection = {
  /** Takes no more calls. Resolves when those under way are answered and the connection has ended. */
  stop(): Promise<void>
}

/** The most bytes in a line. */
const longestLine = 1024 * 1024
/** Lines that are worked on at once. What else has come waits, and what has not come yet stays with the caller. */
const mostLinesAtOnce = 32
/** What a caller may still write after a line that is too long, in bytes; then its connection is cut. */
const mostDiscarded = 16 * 1024 * 1024

const { InvalidRequest, ParseError } = JSONRPCErrorCode
const endings = {
  too_long: encodeFailure(null, InvalidRequest, 'A line has at most 1 MiB. Nothing after this one is read.'),
  // A line that was cut off must not move money, even if what arrived of it is valid JSON.
  half: encodeFailure(null, ParseError, 'The last line has no newline at its end; nothing was done for it.'),
}

/**
 * Answers the lines of a socket, in the order in which the answers are ready. A caller that does not read its answers is
 * not read either, so nothing accumulates here. The socket must allow half-open ends: a caller that has ended its side
 * (`nc -N`) still gets its answers.
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
    for await (const line of splitLines(socket, { longest: longestLine, discard: mostDiscarded })) {
      if (stopping) continue
      if (line.kind === 'line') void answer(line.bytes)
      else send(endings[line.kind])
      if (line.kind === 'too_long') {
        await until(() => running === 0)
        socket.end()
      }
      await until(() => socket.destroyed || (running < mostLinesAtOnce && !socket.writableNeedDrain))
    }
    await until(() => running === 0)
    socket.end()
  }

  // A broken connection ends its own serving and nothing else.
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
