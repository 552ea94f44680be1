import { chmodSync, statSync } from 'node:fs'

/** Takes a database's files from everyone but their owner: what is in it is for its service. Gives those that were open to others. */
export function makePrivate(file: string): string[] {
  const open = [file, `${file}-wal`, `${file}-shm`].filter((path) => {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats !== undefined && (stats.mode & 0o077) !== 0
  })
  for (const path of open) chmodSync(path, 0o600)
  return open
}
