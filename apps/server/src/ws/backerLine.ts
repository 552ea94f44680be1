import { closeCodes, type ServerMessage } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { DoorLimits } from '../doorLimits.ts'
import type { Clock } from '../ports/clock.ts'

/** A backer's socket as its handlers see it: nothing here throws, whatever state the socket is in. */
export type BackerLine = {
  send(message: ServerMessage): void
  /** Sends what is JSON text already. */
  sendFrame(frame: string): void
  close(code: number, reason: string): void
  /** Whether messages still go in and out. */
  isOpen(): boolean
  /** Does something later, unless the socket has gone by then. The answer cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Does something once when the socket has gone. */
  onGone(callback: () => void): void
}

/** Takes charge of a socket: its errors, its heartbeat, a reader that does not read, and the timers that end with it. */
export function createBackerLine(
  socket: WebSocket,
  { clock, log, limits }: { clock: Clock; log: Logger; limits: Pick<DoorLimits, 'pingIntervalMs' | 'unreadBytes'> },
): BackerLine {
  // Without a listener an oversize frame would end the process.
  socket.on('error', (err) => log.debug({ err }, 'a socket failed'))

  const endings: (() => void)[] = []
  socket.once('close', (code) => {
    log.info({ closeCode: code }, 'a socket closed')
    for (const end of endings.splice(0)) end()
  })

  const line: BackerLine = {
    send: (message) => line.sendFrame(encodeJson(message)),
    sendFrame(frame) {
      if (!line.isOpen()) return
      socket.send(frame, ignoreFailure)
      if (socket.bufferedAmount > limits.unreadBytes) line.close(closeCodes.slowConsumer, 'slow_consumer')
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
  keepAlive(socket, line, { clock, pingIntervalMs: limits.pingIntervalMs })
  return line
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
