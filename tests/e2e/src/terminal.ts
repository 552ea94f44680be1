import { spawn } from 'node:child_process'
import { watchOutput } from '@firmquote/test-support/watchOutput'

/** A terminal that runs one command in its own process group. */
export type Terminal = ReturnType<typeof openTerminal>

const started: { kill(): void }[] = []

/** Kills this test file's running commands. */
export function killTerminals(): void {
  for (const one of started.splice(0)) one.kill()
}

/**
 * Runs a bash command that stops at its first error.
 *
 * @param environment added to the tests' environment.
 * @throws {TypeError} if there is no command because the document has fewer than the test expects.
 */
export function openTerminal(
  command: string | undefined,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>> = {},
) {
  if (command === undefined) throw new TypeError('The document has fewer steps than this test.')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd,
    // Removes Jest's and CI's variables, and disables colours.
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
      // The processes have exited, but their output is still being read.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  const opened = {
    /** The combined output of both streams so far. */
    output,
    /** Waits until the output matches a pattern. Rejects if the command ends without a match. */
    shows: says,
    /** Waits until the command has ended. Returns the command's exit code, or null if a signal ended it. */
    ends: () => ended,
    /** Waits until the command has ended. Returns the command's output, or rejects with that output on failure. */
    async succeeds() {
      const code = await ended
      if (code !== 0) throw new TypeError(`${command} ended with ${code}:\n${output()}`)
      return output()
    },
    /** Sends SIGINT to the process group, as Ctrl-C does, and waits until the last process closes its output. */
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
