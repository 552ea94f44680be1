import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type Clock, systemClock } from '@firmquote/core/utils'
import { createAnswerMessage, encodeFailure, type RpcLog, type RpcMethods } from './answerMessage.ts'
import { claimSocket } from './claimSocket.ts'
import { tooManyConnectionsCode } from './rpcCodes.ts'
import { type RpcConnection, serveConnection } from './rpcConnection.ts'

/** Options of {@link serveSocket}. */
export type ServeSocketOptions = {
  socketPath: string
  methods: RpcMethods
  /** Name of the program for error messages, such as `server`. */
  program: string
  log: RpcLog
  /** Clock for the close timeout. Default: the system clock. */
  clock?: Pick<Clock, 'after'> | undefined
  /** Maximum number of open connections. Default: 64. */
  maxConnections?: number | undefined
  /** Grace period for pending calls on close, in milliseconds. Default: 5,000. */
  closeTimeoutMs?: number | undefined
}

/** A listening socket. */
export type ServedSocket = {
  /** Removes the socket's path, waits for pending calls and closes the connections. May be called repeatedly. */
  close(): Promise<void>
}

/**
 * Serves JSON-RPC 2.0 on a Unix socket of mode 600, with one request or batch per line.
 *
 * @throws {SocketTakenError} if another process is already listening there.
 * @throws {SocketPathError} if the folder is not safe, or if the path exists and is not a socket owned by this user. An
 * existing file is left unchanged.
 */
export async function serveSocket(options: ServeSocketOptions): Promise<ServedSocket> {
  const { socketPath, methods, program, log } = options
  const { clock = systemClock, maxConnections = 64, closeTimeoutMs = 5_000 } = options
  const answerMessage = createAnswerMessage({ methods, log, program })
  const connections = new Map<Socket, RpcConnection>()
  let closing: Promise<void> | undefined

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (closing !== undefined) return socket.destroy()
    if (connections.size >= maxConnections) return refuse(socket, maxConnections)
    connections.set(socket, serveConnection(socket, answerMessage))
    socket.once('close', () => connections.delete(socket))
  })
  // Until the server is listening, `claimSocket` rejects on errors. After that, an error means that a connection could
  // not be accepted.
  server.on('error', (err) => {
    if (server.listening) log.error({ err }, 'failed to accept a connection on the socket')
  })
  const removePath = await claimSocket(server, { socketPath, program })
  log.debug({ socketPath }, 'control socket opened')

  const close = async () => {
    try {
      removePath()
    } catch (err) {
      log.error({ err, socketPath }, 'failed to remove the socket')
    }
    const cut = new AbortController()
    const stopTimer = clock.after(closeTimeoutMs, () => {
      const facts = { connections: connections.size, closeTimeoutMs }
      log.error(facts, 'socket calls did not finish within the timeout; closing their connections')
      cut.abort()
    })
    const late = once(cut.signal, 'abort')
    await Promise.race([late, Promise.all([...connections.values()].map((connection) => connection.stop()))])
    stopTimer()
    for (const socket of connections.keys()) socket.destroy()
    await new Promise((closed) => server.close(closed))
    log.debug({ socketPath }, 'control socket closed')
  }
  return {
    close() {
      closing ??= close()
      return closing
    },
  }
}

function refuse(socket: Socket, maxConnections: number): void {
  const message = `${maxConnections} connections are already open: close one first.`
  const answer = encodeFailure(null, tooManyConnectionsCode, message, { code: 'TOO_MANY_CONNECTIONS' })
  socket.on('error', () => {})
  socket.end(`${answer}\n`, () => socket.destroy())
}
