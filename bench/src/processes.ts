import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { MissingProgram } from './row.ts'

type Functions = Record<string, (argument: never) => unknown>
type Answer = { value: unknown } | { error: string }

/** A module in a separate process. The module's functions are called one at a time. */
export type Service<F> = AsyncDisposable & {
  pid: number
  call<Name extends keyof F & string>(
    name: Name,
    ...argument: F[Name] extends (argument: infer A) => unknown ? (unknown extends A ? [] : [A]) : never
  ): Promise<F[Name] extends (argument: never) => infer R ? Awaited<R> : never>
  /** Resolves to the URL in the server's `ready <url>` line. */
  ready(): Promise<string>
}

/** Options for a service process. */
export type ServiceOptions = {
  env?: Readonly<Record<string, string>>
  execArgv?: readonly string[]
  timeoutMs?: number
}

/** Starts a module in a process that exits with this one. The process's output goes to standard error. */
export function startService<F>(file: URL, { env, execArgv = [], timeoutMs }: ServiceOptions = {}): Service<F> {
  const child = fork(file, {
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 2, 'ipc'],
    execArgv: [...process.execArgv, ...execArgv],
    env: { ...process.env, ...env },
    // Ctrl-C in a terminal must reach only this process, which then stops the others gracefully.
    detached: true,
    ...(timeoutMs !== undefined && { timeout: timeoutMs, killSignal: 'SIGKILL' }),
  })
  const exited = once(child, 'exit')
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      if (line.startsWith('ready ')) resolve(line.slice('ready '.length))
      else console.error(line)
    })
  })
  const unlessExited = <T>(promise: Promise<T>): Promise<T> => {
    const failed = exited.then(() => Promise.reject(new TypeError(`${fileURLToPath(file)} exited without answering.`)))
    return Promise.race([promise, failed])
  }
  return {
    pid: child.pid ?? -1,
    async call(...request) {
      child.send(request)
      const [answer] = (await unlessExited(once(child, 'message'))) as [Answer]
      if ('error' in answer) throw new TypeError(answer.error)
      return answer.value as never
    },
    ready: () => unlessExited(ready),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** Answers the parent process's calls and exits with it. */
export function serve(functions: Functions): void {
  // Calls `exit`, so that temporary files are removed.
  for (const name of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(name, () => process.exit(1))
  answerCalls(functions)
}

/** Answers the parent process's calls. */
export function answerCalls(functions: Functions): void {
  process.on('message', async ([name, argument]: [string, unknown]) => {
    let answer: Answer
    try {
      answer = { value: await functions[name]?.(argument as never) }
    } catch (error) {
      console.error(error)
      answer = { error: error instanceof Error ? error.message : String(error) }
    }
    process.send?.(answer)
  })
}

/** Creates a directory that is removed when this process exits. */
export function createTemporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'firmquote-bench-'))
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Compiles `native/fanOutFloor.c` with `cc`. @throws {MissingProgram} if `cc` is not installed or fails. */
export function compileFloor(): string {
  const program = join(createTemporaryDirectory(), 'fanOutFloor')
  const source = fileURLToPath(new URL('native/fanOutFloor.c', import.meta.url))
  if (spawnSync('cc', ['-O2', '-o', program, source], { stdio: 'ignore' }).status === 0) return program
  throw new MissingProgram('the C compiler `cc` is not installed')
}

/** A program that responds to each line of input with a line of output. */
export type LineProgram = AsyncDisposable & { write(line: string): void; next(): Promise<string> }

/** Starts a program and passes the connections to it. The connections are then closed in this process. */
export function startLineProgram(program: string, args: string[], connections: readonly Socket[]): LineProgram {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit', ...connections] })
  for (const connection of connections) connection.destroy()
  const exited = once(child, 'exit')
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new TypeError('The program has no pipes.')
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  return {
    write: (line) => stdin.write(`${line}\n`),
    async next() {
      const { value, done } = await lines.next()
      if (done) throw new TypeError('The program exited before it answered.')
      return value
    },
    async [Symbol.asyncDispose]() {
      stdin.end()
      await exited
    },
  }
}
