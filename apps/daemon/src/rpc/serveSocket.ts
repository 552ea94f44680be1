import { createServer, type Socket } from 'node:net'
import { type Clock, systemClock } from '@firmquote/core'
import { createAnswerLine, encodeFailure, type RpcMethods } from './answerLine.ts'
import { claimSocket } from './claimSocket.ts'
import { daemonRpcCodes } from './daemonRpcCodes.ts'
import { type RpcConnection, serveConnection } from './rpcConnection.ts'
import { RpcError } from './rpcError.ts'
import type { RpcLog } from './rpcLog.ts'

/** How methods are served. */
export type ServeSocketOptions = {
  socketPath: string
  methods: RpcMethods
  log: RpcLog
  /** Only for the time limit of the close. Default the machine's own. */
  clock?: Pick<Clock, 'after'> | undefined
  /** Lines that may be open at once. Default 64. */
  maxConnections?: number | undefined
  /** What calls that are under way get at the close, in milliseconds. Default 5 000. */
  closeTimeoutMs?: number | undefined
}

/** A socket that is being served. */
export type ServedSocket = {
  /**
   * Takes the name away, lets the calls that are under way finish, ends the lines, and only then lets another daemon
   * have the socket: so close it last. Closing twice is no mistake.
   */
  close(): Promise<void>
}

/**
 * Serves JSON-RPC 2.0 on a Unix socket of mode 600, one request or batch a line.
 *
 * @throws {SocketTakenError} when another daemon is there.
 * @throws {SocketPathError} when the place is not safe, or something else is there, which is left untouched.
 */
export async function serveSocket(options: ServeSocketOptions): Promise<ServedSocket> {
  const { socketPath, methods, log, clock = systemClock, maxConnections = 64, closeTimeoutMs = 5_000 } = options
  const answerLine = createAnswerLine({ methods, log })
  const lines = new Map<Socket, RpcConnection>()
  let closing: Promise<void> | undefined

  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (closing !== undefined) return socket.destroy()
    if (lines.size >= maxConnections) return turnAway(socket, maxConnections)
    lines.set(socket, serveConnection(socket, answerLine))
    socket.once('close', () => lines.delete(socket))
  })
  // A server that does not listen yet could not be claimed, which is told to the caller. Later it is a connection that
  // could not be accepted; those that are there go on.
  server.on('error', (err) => {
    if (server.listening) log.error({ err }, 'the socket failed to accept a connection')
  })
  const claim = await claimSocket(server, socketPath)
  log.info({ socketPath }, 'the socket is open')

  // The end has to come, whatever became of the folder.
  const logLeftover = (err: unknown) => log.error({ err, socketPath }, 'the socket or its lock could not be removed')
  const close = async () => {
    await claim.hide().catch(logLeftover)
    const stopCutting = clock.after(closeTimeoutMs, () => {
      log.error({ lines: lines.size, closeTimeoutMs }, 'calls over the socket took too long to end; they are cut')
      cut()
    })
    let cut = () => {}
    const late = new Promise<void>((resolve) => {
      cut = resolve
    })
    await Promise.race([late, Promise.all([...lines.values()].map((line) => line.stop()))])
    stopCutting()
    for (const socket of lines.keys()) socket.destroy()
    await claim.release().catch(logLeftover)
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

function turnAway(socket: Socket, maxConnections: number): void {
  const message = `${maxConnections} connections are open already: close one first.`
  const data = { code: 'TOO_MANY_CONNECTIONS' }
  socket.on('error', () => {})
  socket.end(`${encodeFailure(null, new RpcError(daemonRpcCodes.TOO_MANY_CONNECTIONS, message, { data }))}\n`, () =>
    socket.destroy(),
  )
}
