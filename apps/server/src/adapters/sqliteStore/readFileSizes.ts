import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSize } from '../../ports/metrics.ts'

/** How large the files of a database are, and what their disk has left for this user; of one in memory nothing is known. */
export async function readFileSizes(file: string): Promise<DatabaseSize> {
  if (file === ':memory:') return { data: null, log: null, free: null }
  const [data, log, disk] = await Promise.all([
    stat(file),
    // There is none before the first write.
    stat(`${file}-wal`).catch(() => ({ size: 0 })),
    statfs(dirname(file)),
  ])
  return { data: data.size, log: log.size, free: disk.bavail * disk.bsize }
}
