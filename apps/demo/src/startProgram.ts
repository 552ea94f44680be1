import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { DemoError } from './demoError.ts'

/** Options for {@link startProgram}. */
export type ProgramOptions = {
  /** The program's name in messages, such as `The server`. */
  name: string
  /** The program's entry file. */
  file: string
  args?: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
}

/** A child process. */
export type Program = {
  name: string
  /**
   * Resolves when the program reports that it is ready.
   *
   * @throws {DemoError} if the program does not start. The message includes its last output.
   */
  ready: Promise<void>
  /** Resolves to the exit code or signal once the process has exited. */
  exited: Promise<number | string>
  /** Stops the program gracefully and waits until it has exited. */
  stop(): Promise<void>
}

const startTimeoutMs = 20_000
const keptLines = 40

/**
 * Starts a program with the given environment and arguments. A program is ready when it prints a line that starts with
 * `ready`. Later output is forwarded, prefixed with the program's name.
 */
export function startProgram({ name, file, args = [], environment }: ProgramOptions): Program {
  const child = spawn(process.execPath, [file, ...args], {
    env: environment,
    // The IPC channel ends the program when this process ends, even after `kill -9`.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C sends a signal to every process in a group. The program runs in a separate process group, so that the demo
    // can stop its programs in the right order.
    detached: true,
  })
  // Wait for `close` rather than `exit`, so that all output has been read.
  const exited = once(child, 'close').then(([code, signal]): number | string => signal ?? code)
  let printed: string[] = []
  let isReady = false

  const ready = new Promise<void>((resolve, reject) => {
    const fail = (what: string) => reject(new DemoError([`${name} ${what}`, ...printed].join('\n')))
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail('did not start in time.')
    }, startTimeoutMs)
    void exited.then((how) => {
      clearTimeout(timer)
      fail(`did not start (${how}).`)
    })
    for (const input of [child.stdout, child.stderr]) {
      if (!input) continue
      createInterface({ input }).on('line', (line) => {
        if (isReady) process.stderr.write(`${name}: ${line}\n`)
        else if (!line.startsWith('ready ')) printed = [...printed, line].slice(-keptLines)
        else {
          isReady = true
          clearTimeout(timer)
          resolve()
        }
      })
    }
  })
  // Prevents an unhandled rejection if the program is stopped while it is starting.
  ready.catch(() => {})

  return {
    name,
    ready,
    exited,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}
