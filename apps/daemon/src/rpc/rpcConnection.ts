import type { Socket } from 'node:net'
import { type AnswerLine, encodeFailure } from './answerLine.ts'
import { readLines } from './readLines.ts'
import { RpcError, rpcCodes } from './rpcError.ts'

/** One caller's line. */
export type RpcConnection = {
  /** Takes no more calls. Resolves when those under way are answered and the line has ended. */
  stop(): Promise<void>
}

/** The most bytes in a line. */
export const longestLine = 1024 * 1024
/** Lines that are worked on at once. What else has come waits, and what has not come yet stays with the caller. */
const mostLinesAtOnce = 32
/** What a caller may still write after his line was ended; then it is cut. */
const mostDiscarded = 16 * 1024 * 1024

const endings = {
  too_long: new RpcError(rpcCodes.invalidRequest, 'A line has at most 1 MiB. Nothing after this one is read.'),
  // A line that was cut off must not move money, even if what came of it happens to be JSON.
  half: new RpcError(rpcCodes.parseError, 'The last line has no newline at its end; nothing was done for it.'),
}

/**
 * Answers the lines of a socket, in the order in which the answers are ready. Whoever does not read his answers is not
 * read either, so neither side's words pile up here. The socket must allow half-open ends: a caller who has said
 * everything (`nc -N`) still gets his answers.
 */
export function serveConnection(socket: Socket, answerLine: AnswerLine): RpcConnection {
  let running = 0
  let stopping = false
  let waiting: (() => void)[] = []
  const wake = () => {
    const woken = waiting
    waiting = []
    for (const resolve of woken) resolve()
  }
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const send = (text: string | null) => {
    if (text !== null && socket.writable) socket.write(`${text}\n`)
  }
  const answer = async (line: Uint8Array) => {
    running += 1
    send(await answerLine(line))
    running -= 1
    wake()
  }

  const serve = async () => {
    for await (const line of readLines(socket, { longest: longestLine, discard: mostDiscarded })) {
      if (stopping) continue
      if (line.kind === 'line') void answer(line.bytes)
      else send(encodeFailure(null, endings[line.kind]))
      if (line.kind === 'too_long') {
        await until(() => running === 0)
        socket.end()
      }
      await until(() => socket.destroyed || (running < mostLinesAtOnce && !socket.writableNeedDrain))
    }
    await until(() => running === 0)
    socket.end()
  }

  // What a caller breaks off ends his line, and nothing else.
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
