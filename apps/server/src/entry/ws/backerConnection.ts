import type { Socket } from 'node:net'
import type { ServerMessage } from '@firmquote/core'
import { closeCodes } from '@firmquote/core/protocol'
import { type Clock, encodeJson } from '@firmquote/core/utils'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { EntryLimits } from '../entryLimits.ts'
import { watchReader } from '../slowReader.ts'

/** The first byte of an unfragmented text frame. */
const finalText = 0x81

/** A backer's socket, as seen by its handlers. No method throws in any state of the socket. */
export type BackerConnection = {
  send(message: ServerMessage): void
  /** Sends JSON text. A text sent several times in a row is encoded once. */
  sendFrame(text: string): void
  close(code: number, reason: string): void
  /** Whether messages can be sent and received. */
  isOpen(): boolean
  /**
   * Calls `callback` after `milliseconds`, unless the socket closes first. Calling the returned function cancels the
   * callback.
   */
  after(milliseconds: number, callback: () => void): () => void
  /** Resolves once the send buffer is below its high-water mark or the socket has closed. */
  taken(): Promise<void>
  /** Calls `callback` once, when the socket closes. */
  onClosed(callback: () => void): void
}

/** Options of {@link createBackerConnection}. */
export type BackerConnectionOptions = {
  /** The WebSocket's TCP socket. */
  tcpSocket: Socket
  clock: Clock
  log: Logger
  limits: Pick<EntryLimits, 'pingIntervalMs' | 'unreadBytes' | 'stalledMs'>
}

/**
 * Wraps a socket: handles errors, heartbeats and slow reading, and cancels timers on close.
 *
 * Messages are written directly to the TCP socket, as frames from `encodeTextFrame`. `ws` writes its control frames
 * (ping, pong, close) whole and synchronously, because it uses neither compression nor Blobs. Frames therefore never
 * interleave, and are sent in the order of the calls. After a close frame, `isOpen` returns false and nothing more is
 * written.
 */
export function createBackerConnection(
  socket: WebSocket,
  { tcpSocket, clock, log, limits }: BackerConnectionOptions,
): BackerConnection {
  // Without a listener, an oversized frame's error would crash the process.
  socket.on('error', (err) => log.debug({ err }, 'socket failed'))

  const onClosed: (() => void)[] = []
  socket.once('close', (code) => {
    log.info({ closeCode: code }, 'socket closed')
    for (const callback of onClosed.splice(0)) callback()
  })

  let isCorked = false
  /** Writes the frames of this turn of the event loop together. */
  const uncork = () => {
    isCorked = false
    tcpSocket.uncork()
    // Usually the kernel has already accepted the data.
    if (tcpSocket.writableLength > 0) reader.wrote()
  }

  const connection: BackerConnection = {
    send: (message) => connection.sendFrame(encodeJson(message)),
    sendFrame(text) {
      if (socket.readyState !== WebSocket.OPEN) return
      if (!isCorked) {
        isCorked = true
        tcpSocket.cork()
        process.nextTick(uncork)
      }
      tcpSocket.write(frameOf(text))
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
      // The close frame is queued behind all unread data. If the client does not read the close frame in time, `ws`
      // terminates the connection.
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

/** Encodes a text. The most recent frame is cached, for broadcasts. */
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
  // Each socket has its own timer, which spreads pings over time so that they do not block the event loop.
  const sendHeartbeat = () => {
    if (!answered) return socket.terminate()
    answered = false
    if (connection.isOpen()) socket.ping(undefined, undefined, ignoreFailure)
    cancel = clock.after(pingIntervalMs, sendHeartbeat)
  }
  cancel = clock.after(pingIntervalMs, sendHeartbeat)
  connection.onClosed(() => cancel())
}

/** Ignores a failed write, because it closes the socket and the close is handled elsewhere. */
function ignoreFailure(): void {}

/**
 * Encodes a text as a single unmasked WebSocket frame (RFC 6455, section 5.2). The frame's buffer may be written to
 * many sockets.
 */
export function encodeTextFrame(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10
  // The buffer is not pooled: a frame waiting for a slow reader would keep its whole pool slab in memory.
  const frame = Buffer.allocUnsafeSlow(start + length)
  frame[0] = finalText
  if (start === 2) frame[1] = length
  else if (start === 4) {
    frame[1] = 126
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.write(text, start)
  return frame
}
