import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const script = join(import.meta.dirname, '../scripts/bigLog.ts')

/** The result of each command of `scripts/bigLog.ts`. */
type Measured = { seconds: number; cpuSeconds: number; peakMiB: number }
type MeasuredProof = Measured & { hashes: number; tiles: number; proofBytes: number; openingBytes: number }

/** Builds a log of this size in a temporary folder, and measures its proofs and its reader, each in its own process. */
export function measureBigLog(size: number): { build: Measured; prove: MeasuredProof; read: Measured } {
  const folder = mkdtempSync(join(tmpdir(), 'firmquote-log-'))
  const run = (command: string) =>
    JSON.parse(
      execFileSync(process.execPath, ['--conditions=@firmquote/source', script, command, folder, String(size)], {
        encoding: 'utf8',
      }),
    )
  try {
    return { build: run('build'), prove: run('prove'), read: run('read') }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
