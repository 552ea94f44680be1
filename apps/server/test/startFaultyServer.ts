import { spawnSync } from 'node:child_process'
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

/** Starts the built server in a separate folder and waits until it is ready. */
export async function startFaultyServer(folder: string, environment: Readonly<Record<string, string>>) {
  const faults = join(folder, 'faults')
  mkdirSync(faults, { recursive: true })
  const library = join(folder, 'faultyDisk.so')
  const source = fileURLToPath(new URL('faultyDisk.c', import.meta.url))
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`Failed to compile the disk fault library: ${stderr}`)
  const { child, says, ended } = startProgram(programOf('server'), [], {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LD_PRELOAD: library,
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
    async stop() {
      // A paused process does not handle signals.
      for (const name of ['SIGCONT', 'SIGKILL'] as const) child.kill(name)
      await ended
    },
  }
}
