import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** A terminal in which one command of a document runs, in a process group of its own. */
export type Terminal = {
  /** What has been shown so far, on both outputs. */
  output(): string
  /**
   * Waits for a text, and gives what it has found of it.
   *
   * @throws {TypeError} when the command ends without it.
   */
  shows(text: RegExp): Promise<RegExpExecArray>
  /** Waits until the command has ended, and gives its exit code; null when a signal ended it. */
  ends(): Promise<number | null>
  /**
   * Waits until the command has done its work, and gives what it has shown.
   *
   * @throws {TypeError} with what it has shown, when it fails.
   */
  succeeds(): Promise<string>
  /** Ctrl-C, which reaches all that runs in the terminal; waits until the last of it has gone. */
  interrupt(): Promise<void>
  /** Ends at once what still runs. */
  kill(): void
}

const started: Terminal[] = []

/** Ends what still runs in a terminal of this file. */
export function killTerminals(): void {
  for (const one of started.splice(0)) one.kill()
}

/**
 * Runs a command of bash, which ends at its first mistake.
 *
 * @param environment is added to that of the tests.
 * @throws {TypeError} when there is no command: the document has fewer than the test expects.
 */
export function openTerminal(
  command: string | undefined,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  if (command === undefined) throw new TypeError('The document has fewer steps than this test.')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    // A reader has none of what jest and machines that test set, and what is matched has no colours.
    env: {
      ...process.env,
      ...{ NODE_OPTIONS: '', NODE_ENV: undefined, CI: undefined, FORCE_COLOR: undefined, NO_COLOR: '1' },
      ...environment,
    },
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
  const opened: Terminal = {
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
    async succeeds() {
      const code = await closed
      if (code !== 0) throw new TypeError(`${command} ended with ${code}:\n${output}`)
      return output
    },
    async interrupt() {
      signal('SIGINT')
      await closed
    },
    kill: () => signal('SIGKILL'),
  }
  started.push(opened)
  return opened
}
