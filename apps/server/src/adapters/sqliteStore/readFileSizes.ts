import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSize } from '../../ports/metrics.ts'

/** Sizes of a database's files, and this user's available disk space. Null for an in-memory database. */
export async function readFileSizes(file: string): Promise<DatabaseSize> {
  if (file === ':memory:') return { data: null, log: null, free: null }
  const [data, log, disk] = await Promise.all([
    stat(file),
    // The first write creates the log.
    stat(`${file}-wal`).catch(() => ({ size: 0 })),
    statfs(dirname(file)),
  ])
  return { data: data.size, log: log.size, free: disk.bavail * disk.bsize }
}
