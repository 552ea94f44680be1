import { lstat, readdir, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoring } from './ignoring.ts'
import { probeSocket } from './probeSocket.ts'
import { SocketPathError, SocketTakenError } from './socketErrors.ts'

/**
 * Takes the lock by renaming the folder `draft`, in which this process listens on a socket of a random name, to `lock`.
 *
 * A rename replaces a folder only when that is empty, so one of many wins. The lock of a process that is gone is found
 * out by its socket, on which nobody listens any more, and opened by removing this socket: by its random name, which no
 * other process's socket can have. So nobody removes, on what he saw earlier, the lock that a third one took since.
 *
 * @throws {SocketTakenError} when a process that runs has the lock.
 * @throws {SocketPathError} when something else has its name.
 */
export async function takeLock(options: {
  draft: string
  lock: string
  socketPath: string
  uid: number
  /** How a holder is found out; a test puts other processes' deeds in between. */
  probe?: typeof probeSocket
}): Promise<void> {
  const { draft, lock, socketPath, uid, probe = probeSocket } = options
  for (;;) {
    await requireOwnFolder(lock, uid)
    try {
      await rename(draft, lock)
      return
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) {
        // What came there in the meantime has a better sentence.
        await requireOwnFolder(lock, uid)
        throw error
      }
    }
    for (const name of (await ignoring(['ENOENT'], readdir(lock))) ?? []) {
      const holder = join(lock, name)
      const stats = await ignoring(['ENOENT'], lstat(holder))
      if (stats === undefined) continue
      if (!stats.isSocket()) {
        throw new SocketPathError('not_a_socket', `${holder} is no lock of a daemon: remove it.`)
      }
      const state = await probe(holder)
      if (state === 'answers') throw new SocketTakenError(socketPath)
      if (state === 'silent') await ignoring(['ENOENT'], unlink(holder))
    }
  }
}

async function requireOwnFolder(lock: string, uid: number): Promise<void> {
  const stats = await ignoring(['ENOENT'], lstat(lock))
  if (stats === undefined) return
  if (stats.isDirectory() && stats.uid === uid && (stats.mode & 0o077) === 0) return
  const fault = stats.isDirectory() ? 'other_owner' : stats.isSymbolicLink() ? 'link' : 'not_a_socket'
  throw new SocketPathError(
    fault,
    `${lock} stands where the daemon keeps its lock, and is no private folder of this user: remove it, or choose another socket path.`,
  )
}
