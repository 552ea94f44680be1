import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programOf, startProgram } from '@firmquote/test-support/startProgram'

/** Faults in the disk that stores a database. */
type DiskFault = 'fsync' | 'slow' | 'full'

/** A server process whose disk can be made to fail. */
export type FaultyServer = Awaited<ReturnType<typeof startFaultyServer>>

/** Whether this machine can simulate disk faults: Linux with a C compiler. */
export const canBreakDisks = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0

/** Compiles the library that makes the disk of a program fail. Returns its path in `folder`, for `LD_PRELOAD`. */
export function compileFaultyDisk(folder: string): string {
  const library = join(folder, 'faultyDisk.so')
  const source = fileURLToPath(new URL('faultyDisk.c', import.meta.url))
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'])
  return library
}

/** Starts the built server in a separate folder and waits until it is ready. */
export async function startFaultyServer(folder: string, environment: Readonly<Record<string, string>>) {
  const faults = join(folder, 'faults')
  mkdirSync(faults, { recursive: true })
  const { child, says, stop } = startProgram(programOf('server'), [], {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LD_PRELOAD: compileFaultyDisk(folder),
    FAULTS: faults,
    ...environment,
  })
  const [, url = ''] = await says(/^ready (http:\S+)$/m)
  return {
    url: url.replace('localhost', '127.0.0.1'),
    /** The server's `host:port`, also its instance label in Prometheus. */
    instance: `127.0.0.1:${new URL(url).port}`,
    breakDisk: (fault: DiskFault) => writeFileSync(join(faults, fault), ''),
    mendDisk: (fault: DiskFault) => rmSync(join(faults, fault)),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    stop: () => stop('SIGKILL'),
  }
}
