import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A terminal in which one command runs, in a process group of its own. */
export type Terminal = {
  /** What has been shown so far, on both outputs. */
  output(): string
  /** Waits for a text, and gives what it has found of it. Rejects when the command ends without it. */
  shows(text: RegExp): Promise<RegExpExecArray>
  /** Waits until the command has ended, and gives its exit code; null when a signal ended it. */
  ends(): Promise<number | null>
  /** Ctrl-C, which reaches all that runs in the terminal; waits until the last of it has gone. */
  interrupt(): Promise<void>
  /** Ends at once what still runs. */
  kill(): void
}

/** Runs a command of bash, which ends at its first mistake; `environment` is added to this process's own. */
export function openTerminal(
  command: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  let hasClosed = false
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const look of looks) look()
    })
  }
  const closed = once(child, 'close').then(([code]) => {
    hasClosed = true
    return code as number | null
  })
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined || hasClosed) return
    try {
      process.kill(-child.pid, name)
    } catch (error) {
      // All of it has gone; what it has written is still being read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return {
    output: () => output,
    shows: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = text.exec(output)
          if (!found) return
          looks.delete(look)
          resolve(found)
        }
        looks.add(look)
        look()
        void closed.then(() => reject(new TypeError(`${command} ended without showing ${text}:\n${output}`)))
      }),
    ends: () => closed,
    async interrupt() {
      signal('SIGINT')
      await closed
    },
    kill: () => signal('SIGKILL'),
  }
}
