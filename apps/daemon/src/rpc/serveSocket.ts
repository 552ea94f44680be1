import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { type Clock, systemClock } from '@firmquote/core'
import { createAnswerMessage, encodeFailure, type RpcLog, type RpcMethods } from './answerMessage.ts'
import { claimSocket } from './claimSocket.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'
import { type RpcConnection, serveConnection } from './rpcConnection.ts'

/** How methods are served. */
export type ServeSocketOptions = {
  socketPath: string
  methods: RpcMethods
  log: RpcLog
  /** Only for the time limit of the close. Default the machine's own. */
  clock?: Pick<Clock, 'after'> | undefined
  /** Connections that may be open at once. Default 64. */
  maxConnections?: number | undefined
  /** What calls that are under way get at the close, in milliseconds. Default 5 000. */
  closeTimeoutMs?: number | undefined
}

/** A socket that is being served. */
export type ServedSocket = {
  /** Removes the socket's path, lets the calls that are under way finish, and ends the connections. May be called again. */
  close(): Promise<void>
}

/**
 * Serves JSON-RPC 2.0 on a Unix socket of mode 600, one request or batch a line.
 *
 * @throws {SocketTakenError} when another process listens there.
 * @throws {SocketPathError} when the folder is not safe, or anything but an own socket is there, which is left untouched.
 */
export async function serveSocket(options: ServeSocketOptions): Promise<ServedSocket> {
  const { socketPath, methods, log, clock = systemClock, maxConnections = 64, closeTimeoutMs = 5_000 } = options
  const answerMessage = createAnswerMessage({ methods, log })
  const connections = new Map<Socket, RpcConnection>()
  let closing: Promise<void> | undefined

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (closing !== undefined) return socket.destroy()
    if (connections.size >= maxConnections) return refuse(socket, maxConnections)
    connections.set(socket, serveConnection(socket, answerMessage))
    socket.once('close', () => connections.delete(socket))
  })
  // Before it listens, the claim rejects. Later it is a connection that could not be accepted; the others go on.
  server.on('error', (err) => {
    if (server.listening) log.error({ err }, 'the socket failed to accept a connection')
  })
  const removePath = await claimSocket(server, socketPath)
  log.info({ socketPath }, 'the socket is open')

  const close = async () => {
    try {
      removePath()
    } catch (err) {
      log.error({ err, socketPath }, 'the socket could not be removed')
    }
    const cut = new AbortController()
    const stopTimer = clock.after(closeTimeoutMs, () => {
      const facts = { connections: connections.size, closeTimeoutMs }
      log.error(facts, 'calls over the socket did not end within the timeout; their connections are cut')
      cut.abort()
    })
    const late = once(cut.signal, 'abort')
    await Promise.race([late, Promise.all([...connections.values()].map((connection) => connection.stop()))])
    stopTimer()
    for (const socket of connections.keys()) socket.destroy()
    await new Promise((closed) => server.close(closed))
    log.info({ socketPath }, 'the socket is closed')
  }
  return {
    close() {
      closing ??= close()
      return closing
    },
  }
}

function refuse(socket: Socket, maxConnections: number): void {
  const message = `${maxConnections} connections are open already: close one first.`
  const { TOO_MANY_CONNECTIONS } = daemonRpcCodes
  const answer = encodeFailure(null, TOO_MANY_CONNECTIONS, message, { code: 'TOO_MANY_CONNECTIONS' })
  socket.on('error', () => {})
  socket.end(`${answer}\n`, () => socket.destroy())
}
