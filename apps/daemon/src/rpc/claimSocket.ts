import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { link, lstat, rmdir, unlink } from 'node:fs/promises'
import type { Server } from 'node:net'
import { basename, dirname, join, resolve } from 'node:path'
import { ignoring } from './ignoring.ts'
import { probeSocket } from './probeSocket.ts'
import { requireSafeFolder } from './requireSafeFolder.ts'
import { SocketPathError, SocketTakenError } from './socketErrors.ts'
import { takeLock } from './takeLock.ts'

/** A socket that is this process's own, until it is let go. */
export type SocketClaim = {
  /** Takes the socket's name away, if it still leads to this socket. Nobody else can have the name before the release. */
  hide(): Promise<void>
  /** Lets another daemon have the name. */
  release(): Promise<void>
}

/** The system's own limit is 107 bytes on Linux and 103 elsewhere. */
const longestPath = 103

/**
 * Has a server listen on a Unix socket of mode 600. It listens first, in a new folder that nobody else can enter; then
 * this folder becomes the lock (see {@link takeLock}), and only its owner gives the socket its name, or removes an old
 * one. So whatever has the name has been listening from its first moment, and of many daemons one wins.
 *
 * Call it before anything else writes files: the process's umask is 177 for the moment of the bind.
 *
 * @throws {SocketTakenError} when another daemon is there.
 * @throws {SocketPathError} when the place is not safe, or something else is there, which is left untouched.
 */
export async function claimSocket(server: Server, socketPath: string): Promise<SocketClaim> {
  const uid = process.getuid?.()
  if (uid === undefined) {
    throw new SocketPathError('unsupported', 'This system has no Unix sockets with owners: run the daemon on Linux.')
  }
  const path = resolve(socketPath)
  const folder = dirname(path)
  const own = randomBytes(5).toString('hex')
  const draft = join(folder, `.${basename(path)}.${own}`)
  const lock = join(folder, `.${basename(path)}.lock`)
  requireLength(path, join(draft, own))
  await requireSafeFolder(folder, uid)
  try {
    // On this thread, where the umask of another claim's bind cannot take the folder's mode away.
    mkdirSync(draft, { mode: 0o700 })
  } catch (cause) {
    throw new SocketPathError('closed_folder', `Nothing can be written into ${folder}: choose another folder.`, {
      cause,
    })
  }
  try {
    await listenPrivately(server, join(draft, own))
    await takeLock({ draft, lock, socketPath: path, uid })
  } catch (error) {
    await closeQuietly(server)
    await ignoring(['ENOENT'], unlink(join(draft, own)))
    await ignoring(['ENOENT'], rmdir(draft))
    throw error
  }
  const release = async () => {
    await ignoring(['ENOENT'], unlink(join(lock, own)))
    await ignoring(['ENOENT', 'ENOTEMPTY', 'EEXIST'], rmdir(lock))
  }
  try {
    const { dev, ino } = await publish(join(lock, own), path, uid)
    return {
      release,
      async hide() {
        const now = await ignoring(['ENOENT', 'ENOTDIR'], lstat(path, { bigint: true }))
        if (now?.dev === dev && now.ino === ino) await ignoring(['ENOENT'], unlink(path))
      },
    }
  } catch (error) {
    await release()
    await closeQuietly(server)
    throw error
  }
}

function requireLength(path: string, longest: string): void {
  const excess = Buffer.byteLength(longest) - longestPath
  if (excess <= 0) return
  throw new SocketPathError('too_long', `${path} is ${excess} bytes too long for a Unix socket: choose a shorter path.`)
}

/** Node binds within the call, so the umask holds for the bind and for nothing else of this thread. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  await new Promise<void>((listening, reject) => {
    server.once('error', reject)
    const before = process.umask(0o177)
    try {
      server.listen(path, () => {
        server.off('error', reject)
        listening()
      })
    } finally {
      process.umask(before)
    }
  })
  const { mode } = await lstat(path)
  if ((mode & 0o777) === 0o600) return
  throw new SocketPathError(
    'open_to_others',
    `${dirname(dirname(path))} gives new sockets mode ${(mode & 0o777).toString(8)}, whatever the umask is: choose a folder without default access lists.`,
  )
}

/** Gives the socket its name, for which a stale socket has to go. Only who has the lock may call it. */
async function publish(own: string, path: string, uid: number): Promise<{ dev: bigint; ino: bigint }> {
  for (;;) {
    try {
      await link(own, path)
      return await lstat(own, { bigint: true })
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new SocketPathError('unsupported', `No socket can be made at ${path}: choose another folder.`, { cause })
      }
    }
    await removeStale(path, uid)
  }
}

/** Removes a socket that is ours and that nobody listens on; refuses everything else that has its name. */
async function removeStale(path: string, uid: number): Promise<void> {
  const stats = await ignoring(['ENOENT'], lstat(path, { bigint: true }))
  if (stats === undefined) return
  if (stats.isSymbolicLink()) {
    throw new SocketPathError('link', `${path} is a link: remove it, or choose another socket path.`)
  }
  if (!stats.isSocket()) {
    const what = stats.isDirectory() ? 'a folder' : 'a file'
    throw new SocketPathError('not_a_socket', `${path} is ${what}, not a socket: choose another socket path.`)
  }
  if (stats.uid !== BigInt(uid)) {
    throw new SocketPathError(
      'other_owner',
      `${path} is a socket of another user (uid ${stats.uid}): choose another socket path.`,
    )
  }
  if ((await probeSocket(path)) === 'answers') throw new SocketTakenError(path)
  const now = await ignoring(['ENOENT'], lstat(path, { bigint: true }))
  if (now?.dev === stats.dev && now.ino === stats.ino) await ignoring(['ENOENT'], unlink(path))
}

async function closeQuietly(server: Server): Promise<void> {
  await new Promise((closed) => server.close(closed))
}
