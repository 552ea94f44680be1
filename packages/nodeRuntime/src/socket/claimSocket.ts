// Why: docs/decisions/0012-daemon-socket.md
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { linkSync, lstatSync, unlinkSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { requireSafeFolder } from './requireSafeFolder.ts'
import { SocketPathError, SocketTakenError } from './socketErrors.ts'

/** Maximum length of a socket path, in bytes. Linux allows 107 bytes, but other systems allow 103. */
const maxPathBytes = 103

/**
 * Listens on a Unix socket of mode 600. The server first listens under a random name in the same folder, which is then
 * hard-linked to the path. The path therefore never refers to a socket that is not listening, and linking never
 * replaces a file. Claiming a path is not a lock: programs lock their database or data directory.
 *
 * @returns a function that removes the path if it still refers to this socket.
 * @throws {SocketTakenError} if another process is already listening there.
 * @throws {SocketPathError} if the folder is not safe, or if the path exists and is not a socket owned by this user. An
 * existing file is left unchanged.
 */
export async function claimSocket(
  server: Server,
  { socketPath, program }: { socketPath: string; program: string },
): Promise<() => void> {
  const uid = process.getuid?.()
  if (uid === undefined) {
    throw new SocketPathError(
      'unsupported',
      `This system does not support Unix sockets with owners: run the ${program} on Linux.`,
    )
  }
  const path = resolve(socketPath)
  const folder = dirname(path)
  const draft = join(folder, `.${randomBytes(4).toString('hex')}`)
  const excess = Math.max(...[path, draft].map((one) => Buffer.byteLength(one))) - maxPathBytes
  if (excess > 0) {
    throw new SocketPathError(
      'too_long',
      `${path} is ${excess} bytes too long for a Unix socket: choose a shorter path.`,
    )
  }
  await requireSafeFolder(folder, uid)
  try {
    await listenPrivately(server, draft)
    while (!linkIfFree(draft, path)) await removeStale(path, { uid, program })
    // The server now listens at the path. Closing the server removes only the temporary name, which no longer exists.
    const own = identify(draft)
    unlinkSync(draft)
    return () => {
      if (identify(path) === own) unlinkSync(path)
    }
  } catch (error) {
    await new Promise((closed) => server.close(closed))
    throw error
  }
}

/** Node.js binds synchronously, so the umask applies to this bind only. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const folder = dirname(path)
  const listening = once(server, 'listening')
  const before = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(before)
  }
  await listening.catch((cause: unknown) => {
    throw new SocketPathError('closed_folder', `Cannot create a socket in ${folder}: choose another folder.`, { cause })
  })
  const mode = (lstatSync(path).mode & 0o777).toString(8)
  if (mode === '600') return
  throw new SocketPathError(
    'open_to_others',
    `New sockets in ${folder} get mode ${mode} despite the umask: choose a folder without default ACLs.`,
  )
}

function linkIfFree(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new SocketPathError('unsupported', `Cannot create a socket at ${path}: choose another folder.`, { cause })
  }
}

/** Removes a stale socket owned by this user. Throws if anything else exists at the path. */
async function removeStale(path: string, { uid, program }: { uid: number; program: string }): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (stats.isSymbolicLink()) {
    throw new SocketPathError('link', `${path} is a symbolic link: remove it, or choose another socket path.`)
  }
  if (!stats.isSocket()) {
    const what = stats.isDirectory() ? 'a folder' : 'a file'
    throw new SocketPathError('not_a_socket', `${path} is ${what}, not a socket: choose another socket path.`)
  }
  if (stats.uid !== uid) {
    throw new SocketPathError(
      'other_owner',
      `${path} is a socket owned by another user (uid ${stats.uid}): choose another socket path.`,
    )
  }
  const seen = identify(path)
  if (await isAnswered(path)) throw new SocketTakenError(path, program)
  // Another process may have replaced the socket during the probe. The check and the removal run synchronously, with
  // nothing in between.
  if (identify(path) === seen) unlinkSync(path)
}

/** Returns a file's device and inode, or undefined if the file does not exist. */
function identify(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/**
 * Returns whether a process is listening. Also returns true if the probe fails, for example due to a timeout or a lack
 * of buffer space.
 */
async function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true))
    socket.once('connect', () => socket.destroy())
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}
