import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

const started: ChildProcess[] = []

/** Ends whatever still runs in a terminal of this file. */
export function killTerminals(): void {
  for (const { pid, exitCode, signalCode } of started.splice(0)) {
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
}

/** A terminal in which a reader has typed a command of a document, and what it shows. */
export type Terminal = ReturnType<typeof terminal>

/**
 * Runs one command as a terminal does, in a process group of its own.
 *
 * @param environment is added to that of the tests.
 * @throws {TypeError} when there is no command: the document has fewer than the test expects.
 */
export function terminal(command: string | undefined, cwd: string, environment: Record<string, string>) {
  if (command === undefined) throw new TypeError('The README has fewer steps than this test.')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    // A reader has none of what jest sets.
    env: { ...process.env, NODE_OPTIONS: '', NODE_ENV: undefined, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  started.push(child)
  let output = ''
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const look of looks) look()
    })
  }
  const closed = once(child, 'close').then(([code]) => code as number | null)
  return {
    /** Waits for a text, and gives what it has found of it. */
    shows: (text: RegExp) =>
      new Promise<RegExpExecArray>((resolve, reject) => {
        const look = () => {
          const found = text.exec(output)
          if (found) resolve(found)
        }
        looks.add(look)
        look()
        void closed.then(() => reject(new TypeError(`${command} ended without showing ${text}:\n${output}`)))
      }),
    /** Ctrl-C, which reaches all that runs in a terminal; waits until it has gone. */
    async interrupt(): Promise<void> {
      process.kill(-(child.pid ?? 0), 'SIGINT')
      await closed
    },
    /**
     * Waits until the command has done its work.
     *
     * @throws {TypeError} with what it has shown, when it fails.
     */
    async succeeds(): Promise<string> {
      const code = await closed
      if (code !== 0) throw new TypeError(`${command} ended with ${code}:\n${output}`)
      return output
    },
  }
}
