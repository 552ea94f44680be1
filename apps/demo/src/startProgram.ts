import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { DemoError } from './demoError.ts'

/** Which program to start, and how. */
export type ProgramOptions = {
  /** What messages call it, as in `The server`. */
  name: string
  /** The program's file. */
  file: string
  args?: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
}

/** A program that runs as its own process. */
export type Program = {
  name: string
  /**
   * Resolves when it says that it is ready.
   *
   * @throws {DemoError} when it does not come up; the message names it and ends with what it printed.
   */
  ready: Promise<void>
  /** Resolves when the process has ended, to its exit code or signal. */
  exited: Promise<number | string>
  /** Asks it to end in order, and waits until it has. */
  stop(): Promise<void>
}

const startTimeoutMs = 20_000
const keptLines = 40

/**
 * Starts a program as an operator would: with its environment and its arguments. It is ready with its first line that
 * begins with `ready`; what it prints later is passed on under its name.
 */
export function startProgram({ name, file, args = [], environment }: ProgramOptions): Program {
  const child = spawn(process.execPath, [file, ...args], {
    env: environment,
    // The channel ends the program when this process is gone, also when it was killed.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C reaches a whole process group; the demo stops its parts in order instead.
    detached: true,
  })
  // Not `exit`: what it said last has been read by then.
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
  // A program that is stopped while it starts is not waited for.
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
