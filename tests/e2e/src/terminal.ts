import { spawn } from 'node:child_process'
import { watchOutput } from '@firmquote/test-support/watchOutput'

/** A terminal in which one command runs, in a process group of its own. */
export type Terminal = ReturnType<typeof openTerminal>

const started: { kill(): void }[] = []

/** Kills the commands of this test file that still run. */
export function killTerminals(): void {
  for (const one of started.splice(0)) one.kill()
}

/**
 * Runs a bash command, which ends at its first error.
 *
 * @param environment is added to that of the tests.
 * @throws {TypeError} when there is no command: the document has fewer than the test expects.
 */
export function openTerminal(
  command: string | undefined,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>> = {},
) {
  if (command === undefined) throw new TypeError('The document has fewer steps than this test.')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    // Without the variables of jest and CI, and without colours.
    env: {
      ...process.env,
      ...{ NODE_OPTIONS: '', NODE_ENV: undefined, CI: undefined, FORCE_COLOR: undefined, NO_COLOR: '1' },
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const { output, says, ended } = watchOutput(child)
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const signal = (name: NodeJS.Signals) => {
    if (child.pid === undefined || hasEnded) return
    try {
      process.kill(-child.pid, name)
    } catch (error) {
      // The processes are gone; their output is still being read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  const opened = {
    /** Output so far, of both streams. */
    output,
    /** Waits for a match in the output; rejects when the command ends without one. */
    shows: says,
    /** Waits until the command has ended, and returns its exit code; null when a signal ended it. */
    ends: () => ended,
    /** Waits until the command has ended, and returns its output; rejects with it when the command fails. */
    async succeeds() {
      const code = await ended
      if (code !== 0) throw new TypeError(`${command} ended with ${code}:\n${output()}`)
      return output()
    },
    /** Sends SIGINT to the process group, as Ctrl-C does, and waits until the last process has closed its output. */
    async interrupt() {
      signal('SIGINT')
      await ended
    },
    /** Sends SIGKILL to the process group. */
    kill: () => signal('SIGKILL'),
  }
  started.push(opened)
  return opened
}
