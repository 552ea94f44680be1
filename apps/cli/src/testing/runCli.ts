import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** How a run went. */
export type CliResult = { code: number | null; out: string; err: string }

/** A run that is under way. */
export type CliRun = {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Resolves when standard output holds a text. */
  says(text: RegExp): Promise<void>
  result: Promise<CliResult>
}

/** How the built program is started. */
export type CliOptions = {
  environment?: Record<string, string>
  input?: string
  /** Makes the program believe that its output is a terminal of so many columns. */
  columns?: number
}

/** Starts the built program as a child process; without `columns` its output is a pipe. */
export function startCli(args: readonly string[], { environment = {}, input, columns }: CliOptions = {}): CliRun {
  const terminal = `Object.assign(process.stdout, { isTTY: true, columns: ${columns} })`
  const flags = columns === undefined ? [] : ['--import', `data:text/javascript,${encodeURIComponent(terminal)}`]
  const child = spawn(process.execPath, [...flags, main, ...args], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  let check = () => {}
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
    check()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  child.stdin.on('error', () => {})
  if (input !== undefined) child.stdin.end(input)
  return {
    child,
    says: (text) =>
      new Promise((resolve) => {
        check = () => text.test(out) && resolve()
        check()
      }),
    result: once(child, 'close').then(([code]) => ({ code: code as number | null, out, err })),
  }
}

/** Runs the built program to its end. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  return startCli(args, { input: '', ...options }).result
}
