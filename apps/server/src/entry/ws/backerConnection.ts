import type { Socket } from 'node:net'
import type { Clock } from '@firmquote/core'
import { closeCodes, type ServerMessage } from '@firmquote/core'
import { encodeJson } from '@firmquote/core/wire'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { EntryLimits } from '../entryLimits.ts'
import { watchReader } from '../slowReader.ts'
import { encodeTextFrame } from './encodeTextFrame.ts'

/** A backer's socket as its handlers see it. No method throws, whatever the state of the socket. */
export type BackerConnection = {
  send(message: ServerMessage): void
  /** Sends JSON text. The same text to several connections in a row is encoded once. */
  sendFrame(text: string): void
  close(code: number, reason: string): void
  /** Whether messages can be sent and received. */
  isOpen(): boolean
  /** Calls back after so many milliseconds unless the socket has closed by then. The returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void
  /** Resolves when no more than a buffer's fill waits to be sent, or the socket has closed. */
  taken(): Promise<void>
  /** Calls back once when the socket has closed. */
  onClosed(callback: () => void): void
}

/** The parts of a connection. */
export type BackerConnectionOptions = {
  /** The TCP socket under the WebSocket. */
  tcpSocket: Socket
  clock: Clock
  log: Logger
  limits: Pick<EntryLimits, 'pingIntervalMs' | 'unreadBytes' | 'stalledMs'>
}

/**
 * Wraps a socket: handles its errors, heartbeat, slow reading, and the timers that end with it.
 *
 * Messages are written to the TCP socket directly, as frames of `encodeTextFrame`. Frames that `ws` writes there (ping, pong,
 * close) are written whole and at once, because nothing is compressed and no Blob is sent; so frames never interleave and
 * keep the order of the calls. After a close frame `isOpen` is false and nothing is written.
 */
export function createBackerConnection(
  socket: WebSocket,
  { tcpSocket, clock, log, limits }: BackerConnectionOptions,
): BackerConnection {
  // Without a listener the error of an oversize frame would end the process.
  socket.on('error', (err) => log.debug({ err }, 'a socket failed'))

  const onClosed: (() => void)[] = []
  socket.once('close', (code) => {
    log.info({ closeCode: code }, 'a socket closed')
    for (const callback of onClosed.splice(0)) callback()
  })

  const connection: BackerConnection = {
    send: (message) => connection.sendFrame(encodeJson(message)),
    sendFrame(text) {
      if (socket.readyState !== WebSocket.OPEN) return
      tcpSocket.write(frameOf(text))
      // Usually the kernel has taken it already.
      if (tcpSocket.writableLength > 0) reader.wrote()
    },
    close(code, reason) {
      if (connection.isOpen()) socket.close(code, reason)
    },
    isOpen: () => socket.readyState === WebSocket.OPEN,
    after(milliseconds, callback) {
      if (socket.readyState === WebSocket.CLOSED) return () => {}
      const cancel = clock.after(milliseconds, callback)
      onClosed.push(cancel)
      return cancel
    },
    taken() {
      if (!tcpSocket.writableNeedDrain) return Promise.resolve()
      return new Promise((resolve) => {
        const done = () => {
          tcpSocket.off('drain', done).off('close', done)
          resolve()
        }
        tcpSocket.once('drain', done).once('close', done)
      })
    },
    onClosed(callback) {
      if (socket.readyState === WebSocket.CLOSED) callback()
      else onClosed.push(callback)
    },
  }
  const reader = watchReader(
    {
      waiting: () => tcpSocket.writableLength,
      connection: tcpSocket,
      // The close frame waits behind all unread data; if the client does not read it in time, `ws` ends the connection.
      cut: () => connection.close(closeCodes.slowConsumer, 'slow_consumer'),
    },
    { clock, limits },
  )
  connection.onClosed(reader.stop)
  keepAlive(socket, connection, { clock, pingIntervalMs: limits.pingIntervalMs })
  return connection
}

let lastText = ''
let lastFrame = encodeTextFrame(lastText)

/** Encodes a text; a broadcast is the same text many times in a row. */
function frameOf(text: string): Buffer {
  if (text !== lastText) {
    lastFrame = encodeTextFrame(text)
    lastText = text
  }
  return lastFrame
}

function keepAlive(
  socket: WebSocket,
  connection: BackerConnection,
  { clock, pingIntervalMs }: { clock: Clock; pingIntervalMs: number },
): void {
  let answered = true
  let cancel = () => {}
  socket.on('pong', () => {
    answered = true
  })
  // One timer per socket: pings that are spread over time never block the event loop.
  const sendHeartbeat = () => {
    if (!answered) return socket.terminate()
    answered = false
    if (connection.isOpen()) socket.ping(undefined, undefined, ignoreFailure)
    cancel = clock.after(pingIntervalMs, sendHeartbeat)
  }
  cancel = clock.after(pingIntervalMs, sendHeartbeat)
  connection.onClosed(() => cancel())
}

/** A socket that cannot be written to closes, which is handled there. */
function ignoreFailure(): void {}
