import { lstat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { ConnectionError } from '../errors.ts'
import { DaemonSocketError } from './rfqDaemonErrors.ts'

/**
 * Opens a daemon's socket only if it belongs to this user and no other user can access it. Otherwise, another user's
 * program could request signatures from the daemon or impersonate it.
 *
 * @throws {DaemonSocketError} if the path is not such a socket.
 * @throws {ConnectionError} if no daemon is listening.
 */
export async function openDaemonSocket(path: string): Promise<Socket> {
  await requirePrivateSocket(path)
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', (cause) => {
      reject(new ConnectionError(`No daemon is listening on ${path}.`, { sent: 'no', cause }))
    })
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      resolve(socket)
    })
  })
}

async function requirePrivateSocket(path: string): Promise<void> {
  if (process.getuid === undefined) {
    throw new DaemonSocketError('unsupported', path, 'This system does not support Unix sockets with owners.')
  }
  const stats = await lstat(path).catch((cause: unknown) => {
    throw new DaemonSocketError('missing', path, `There is no socket at ${path}. Is the daemon running?`, { cause })
  })
  if (stats.isSymbolicLink()) throw new DaemonSocketError('link', path, `${path} is a link, not a socket.`)
  if (!stats.isSocket()) throw new DaemonSocketError('not_a_socket', path, `${path} is not a socket.`)
  if (stats.uid !== process.getuid()) {
    throw new DaemonSocketError('other_owner', path, `${path} belongs to another user (uid ${stats.uid}).`)
  }
  if ((stats.mode & 0o077) !== 0) {
    const mode = (stats.mode & 0o777).toString(8)
    throw new DaemonSocketError('open_to_others', path, `${path} is accessible to other users (mode ${mode}).`, {
      details: 'Its mode must be 600.',
    })
  }
}
