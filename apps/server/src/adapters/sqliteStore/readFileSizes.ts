import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSize } from '../../ports/metrics.ts'

/** The sizes of a database's files, and the free space for this user on its disk. Null for an in-memory database. */
export async function readFileSizes(file: string): Promise<DatabaseSize> {
  if (file === ':memory:') return { data: null, log: null, free: null }
  const [data, log, disk] = await Promise.all([
    stat(file),
    // The log is created by the first write.
    stat(`${file}-wal`).catch(() => ({ size: 0 })),
    statfs(dirname(file)),
  ])
  return { data: data.size, log: log.size, free: disk.bavail * disk.bsize }
}
