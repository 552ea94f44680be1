import { InvalidInputError } from '@firmquote/core'
import type { RpcLog, RpcMethods } from '@firmquote/node-runtime/socket/answerMessage'
import { serveSocket } from '@firmquote/node-runtime/socket/serveSocket'
import { SocketPathError } from '@firmquote/node-runtime/socket/socketErrors'
import { JSONRPCErrorCode, JSONRPCErrorException } from 'json-rpc-2.0'
import { AdminRefusedError } from '../app/control/adminError.ts'
import { describeFailure } from '../app/failure.ts'
import { adminSocketPath } from './adminSocketPath.ts'
import type { Configuration } from './configuration.ts'

/** The admin socket. `path` is null if there is none. */
export type AdminSocket = { path: string | null; close(): Promise<void> }

/** JSON-RPC error code of a command that cannot be executed. `data.code` says why. */
const refusedCode = -32_001
/** Milliseconds to wait for pending commands when the server stops. */
const closeTimeoutMs = 1_000

/**
 * Serves the admin methods on the admin socket. Without `ADMIN_SOCKET`, a path that cannot be used is only logged: a
 * `DATA_DIR` may be too long, or on a file system without sockets.
 *
 * @throws {SocketTakenError} if another process is listening there.
 * @throws {SocketPathError} if no safe socket can be created at `ADMIN_SOCKET`.
 */
export async function openAdminSocket(
  configuration: Pick<Configuration, 'ADMIN_SOCKET' | 'DATABASE_URL' | 'DATA_DIR'>,
  { methods, log }: { methods: RpcMethods; log: RpcLog & { warn: RpcLog['info'] } },
): Promise<AdminSocket> {
  const none: AdminSocket = { path: null, close: async () => {} }
  const socketPath = adminSocketPath(configuration)
  if (socketPath === null) {
    log.info({}, 'no admin socket: set ADMIN_SOCKET to control this instance')
    return none
  }
  try {
    const rpcMethods = withRpcErrors(methods)
    const served = await serveSocket({ socketPath, methods: rpcMethods, program: 'server', log, closeTimeoutMs })
    return { path: socketPath, close: served.close }
  } catch (error) {
    if (configuration.ADMIN_SOCKET !== null || !(error instanceof SocketPathError)) throw error
    const { shortMessage: reason } = error
    log.warn({ socketPath, reason }, 'no admin socket: its path cannot be used; set ADMIN_SOCKET')
    return none
  }
}

function withRpcErrors(methods: RpcMethods): RpcMethods {
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (params: unknown) =>
        method(params).catch((error: unknown) => {
          throw rpcError(error)
        }),
    ]),
  )
}

/** Converts an error to the one sent to the operator. Unexpected errors are returned unchanged, and logged. */
function rpcError(error: unknown): unknown {
  if (error instanceof InvalidInputError) {
    const { code, shortMessage, path } = error
    return new JSONRPCErrorException(shortMessage, JSONRPCErrorCode.InvalidParams, { code, path })
  }
  const { code, message } =
    error instanceof AdminRefusedError ? { code: error.code, message: error.shortMessage } : describeFailure(error)
  return code === 'INTERNAL' ? error : new JSONRPCErrorException(message, refusedCode, { code })
}
