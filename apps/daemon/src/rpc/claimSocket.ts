// Why: docs/decisions/0012-daemon-socket.md
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { linkSync, lstatSync, unlinkSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { requireSafeFolder } from './requireSafeFolder.ts'
import { SocketPathError, SocketTakenError } from './socketErrors.ts'

/** The system's own limit is 107 bytes on Linux and 103 elsewhere. */
const longestPath = 103

/**
 * Has a server listen on a Unix socket of mode 600. It listens first, under a random name in the same folder, and is then
 * linked to its path: so the path leads to a listening socket from its first moment, and a link never replaces anything.
 * What owns the maker's quotes is the exclusive lock of the database, not this socket.
 *
 * @returns removes the path again, if it still leads to this socket.
 * @throws {SocketTakenError} when another process listens there.
 * @throws {SocketPathError} when the folder is not safe, or anything but an own socket is there, which is left untouched.
 */
export async function claimSocket(server: Server, socketPath: string): Promise<() => void> {
  const uid = process.getuid?.()
  if (uid === undefined) {
    throw new SocketPathError('unsupported', 'This system has no Unix sockets with owners: run the daemon on Linux.')
  }
  const path = resolve(socketPath)
  const folder = dirname(path)
  const draft = join(folder, `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  const excess = Buffer.byteLength(draft) - longestPath
  if (excess > 0) {
    throw new SocketPathError(
      'too_long',
      `${path} is ${excess} bytes too long for a Unix socket: choose a shorter path.`,
    )
  }
  await requireSafeFolder(folder, uid)
  try {
    await listenPrivately(server, draft)
    while (!linkIfFree(draft, path)) await removeStale(path, uid)
    // The server's own name from here on; closing it removes the draft, which is gone, and not the path.
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

/** Node binds within the call, so the umask holds for the bind and for nothing else of this thread. */
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
    throw new SocketPathError('closed_folder', `No socket can be made in ${folder}: choose another folder.`, { cause })
  })
  const mode = (lstatSync(path).mode & 0o777).toString(8)
  if (mode === '600') return
  throw new SocketPathError(
    'open_to_others',
    `${folder} gives new sockets mode ${mode} in spite of the umask: choose a folder without default access lists.`,
  )
}

function linkIfFree(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw new SocketPathError('unsupported', `No socket can be made at ${path}: choose another folder.`, { cause })
  }
}

/** Removes a socket of this user on which nothing listens; refuses everything else that has its name. */
async function removeStale(path: string, uid: number): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (stats.isSymbolicLink()) {
    throw new SocketPathError('link', `${path} is a link: remove it, or choose another socket path.`)
  }
  if (!stats.isSocket()) {
    const what = stats.isDirectory() ? 'a folder' : 'a file'
    throw new SocketPathError('not_a_socket', `${path} is ${what}, not a socket: choose another socket path.`)
  }
  if (stats.uid !== uid) {
    throw new SocketPathError(
      'other_owner',
      `${path} is a socket of another user (uid ${stats.uid}): choose another socket path.`,
    )
  }
  const seen = identify(path)
  if (await isAnswered(path)) throw new SocketTakenError(path)
  // Another daemon may have replaced it while it was probed. Nothing runs on this thread between the two.
  if (identify(path) === seen) unlinkSync(path)
}

/** The file behind a name, or undefined without one: device and inode. */
function identify(path: string): string | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}

/** Whether a process listens. One that cannot be asked (no room, no time) counts as listening. */
async function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true))
    socket.once('connect', () => socket.destroy())
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}
