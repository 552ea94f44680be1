import type { BigIntStats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { SocketPathError } from './socketErrors.ts'

/** Maximum number of symbolic links in one path, the same as on Linux. */
const maxLinks = 40

/**
 * Checks that only this user and root can replace a file in a folder. The folder, and every folder and link on the path
 * to it, must be owned by this user or root. Other users must not have write permission, unless the sticky bit is set
 * (as on /tmp), which prevents users from renaming or removing each other's files.
 *
 * @param folder an absolute path.
 * @throws {SocketPathError} `no_folder` or `unsafe_folder`. The message says what to do.
 */
export async function requireSafeFolder(folder: string, uid: number): Promise<void> {
  const trusted = new Set([0n, BigInt(uid)])
  const names = folder.split('/')
  let links = 0
  let place = '/'
  requireSafe(place, await readStats(place, folder), trusted)
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(place, name)
    const stats = await readStats(next, folder)
    requireTrustedOwner(next, stats, trusted)
    if (stats.isSymbolicLink()) {
      if (++links > maxLinks) throw missing(folder)
      const target = await readlink(next)
      if (target.startsWith('/')) place = '/'
      names.unshift(...target.split('/'))
      continue
    }
    if (!stats.isDirectory()) throw missing(folder)
    requireSafe(next, stats, trusted)
    place = next
  }
}

async function readStats(path: string, folder: string): Promise<BigIntStats> {
  return lstat(path, { bigint: true }).catch((cause: unknown) => {
    throw missing(folder, cause)
  })
}

function missing(folder: string, cause?: unknown): SocketPathError {
  return new SocketPathError('no_folder', `The socket's folder ${folder} does not exist: create it with mode 700.`, {
    cause,
  })
}

function requireSafe(path: string, stats: BigIntStats, trusted: ReadonlySet<bigint>): void {
  requireTrustedOwner(path, stats, trusted)
  const sticky = (stats.mode & 0o1000n) !== 0n
  if ((stats.mode & 0o022n) === 0n || sticky) return
  throw new SocketPathError(
    'unsafe_folder',
    `Other users can write to ${path} (mode ${(stats.mode & 0o7777n).toString(8)}), so they could replace the socket: run chmod go-w, or choose another folder.`,
  )
}

function requireTrustedOwner(path: string, stats: BigIntStats, trusted: ReadonlySet<bigint>): void {
  if (trusted.has(stats.uid)) return
  throw new SocketPathError(
    'unsafe_folder',
    `${path} belongs to another user (uid ${stats.uid}), who could replace the socket: choose a folder that you own.`,
  )
}
