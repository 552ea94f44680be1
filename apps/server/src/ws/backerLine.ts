import type { Socket } from 'node:net'
import { type Clock, closeCodes, type ServerMessage } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { DoorLimits } from '../doors/doorLimits.ts'
import { watchReader } from '../doors/slowReader.ts'
import { encodeTextFrame } from './encodeTextFrame.ts'

/** A backer's socket as its handlers see it: nothing here throws, whatever state the socket is in. */
export type BackerLine = {
  send(message: ServerMessage): void
  /** Sends what is JSON text already. The same text to one line after the other is encoded once. */
  sendFrame(text: string): void
  close(code: number, reason: string): void
  /** Whether messages still go in and out. */
  isOpen(): boolean
  /** Does something later, unless the socket has gone by then. The answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Does something once when the socket has gone. */
  onGone(callback: () => void): void
}

/** What a line is made of. */
export type BackerLineOptions = {
  /** What the socket runs on. */
  connection: Socket
  clock: Clock
  log: Logger
  limits: Pick<DoorLimits, 'pingIntervalMs' | 'unreadBytes' | 'stalledMs'>
}

/**
 * Takes charge of a socket: its errors, its heartbeat, a reader that does not read, and the timers that end with it.
 *
 * Messages go to the connection past the WebSocket, in frames of our own. What `ws` itself writes there (pings, pongs, the
 * close frame) goes out whole and at once, because nothing is compressed and no Blob is sent; so frames never mix, and
 * the order is that of the calls. After a close frame, `isOpen` is false and nothing follows.
 */
export function createBackerLine(socket: WebSocket, { connection, clock, log, limits }: BackerLineOptions): BackerLine {
  // Without a listener an oversize frame would end the process.
  socket.on('error', (err) => log.debug({ err }, 'a socket failed'))

  const endings: (() => void)[] = []
  socket.once('close', (code) => {
    log.info({ closeCode: code }, 'a socket closed')
    for (const end of endings.splice(0)) end()
  })

  const line: BackerLine = {
    send: (message) => line.sendFrame(encodeJson(message)),
    sendFrame(text) {
      if (socket.readyState !== WebSocket.OPEN) return
      connection.write(frameOf(text))
      // Most of the time the kernel has taken it already.
      if (connection.writableLength > 0) reader.wrote()
    },
    close(code, reason) {
      if (line.isOpen()) socket.close(code, reason)
    },
    isOpen: () => socket.readyState === WebSocket.OPEN,
    after(milliseconds, callback) {
      if (socket.readyState === WebSocket.CLOSED) return () => {}
      const cancel = clock.after(milliseconds, callback)
      endings.push(cancel)
      return cancel
    },
    onGone(callback) {
      if (socket.readyState === WebSocket.CLOSED) callback()
      else endings.push(callback)
    },
  }
  const reader = watchReader(
    {
      waiting: () => connection.writableLength,
      connection,
      // Its close frame waits behind everything else: if it does not get through, `ws` cuts the connection.
      cut: () => line.close(closeCodes.slowConsumer, 'slow_consumer'),
    },
    { clock, limits },
  )
  line.onGone(reader.stop)
  keepAlive(socket, line, { clock, pingIntervalMs: limits.pingIntervalMs })
  return line
}

let lastText = ''
let lastFrame = encodeTextFrame(lastText)

/** A broadcast is the same text many times in a row. */
function frameOf(text: string): Buffer {
  if (text !== lastText) {
    lastFrame = encodeTextFrame(text)
    lastText = text
  }
  return lastFrame
}

function keepAlive(
  socket: WebSocket,
  line: BackerLine,
  { clock, pingIntervalMs }: { clock: Clock; pingIntervalMs: number },
): void {
  let answered = true
  let cancel = () => {}
  socket.on('pong', () => {
    answered = true
  })
  // A timer for each: the pings of thousands that go out at different times stall nobody.
  const beat = () => {
    if (!answered) return socket.terminate()
    answered = false
    if (line.isOpen()) socket.ping(undefined, undefined, ignoreFailure)
    cancel = clock.after(pingIntervalMs, beat)
  }
  cancel = clock.after(pingIntervalMs, beat)
  line.onGone(() => cancel())
}

/** A socket that cannot be written to closes by itself, and that is handled where it closes. */
function ignoreFailure(): void {}
