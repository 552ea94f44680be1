import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

type Functions = Record<string, (argument: never) => unknown>
type Answer = { value: unknown } | { error: string }

/** A module in a process of its own, whose functions are called one at a time. */
export type Service<F> = {
  pid: number
  call<Name extends keyof F & string>(
    name: Name,
    ...argument: F[Name] extends (argument: infer A) => unknown ? (unknown extends A ? [] : [A]) : never
  ): Promise<F[Name] extends (argument: never) => infer R ? Awaited<R> : never>
  stop(): Promise<void>
}

/** Starts a module that ends with `serve`. Its output goes to standard error. */
export function startService<F>(
  file: URL,
  { execArgv = [], timeout }: { execArgv?: readonly string[]; timeout?: number } = {},
): Service<F> {
  const child = fork(file, {
    ...{ serialization: 'advanced', stdio: ['ignore', 2, 2, 'ipc'], execArgv: [...process.execArgv, ...execArgv] },
    ...(timeout !== undefined && { timeout }),
  })
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? -1,
    async call(...request) {
      child.send(request)
      const ended = exited.then(() => [{ error: `${fileURLToPath(file)} ended without an answer` }])
      const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer]
      if ('error' in answer) throw new TypeError(answer.error)
      return answer.value as never
    },
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Answers the calls of the process that started this one, and ends with it. */
export function serve(functions: Functions): void {
  // An orderly exit removes temporary files.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(1))
  process.once('disconnect', () => process.exit(1))
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

/** Creates a directory that goes with `remove`, or with this process. */
export function createTemporaryDirectory(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'firmquote-bench-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(path, { recursive: true, force: true })
  }
  process.once('exit', remove)
  return { path, remove }
}

/** Compiles `native/fanOutFloor.c` with the machine's `cc`; null when there is none. */
export function compileFloor(): { program: string; remove(): void } | null {
  const { path, remove } = createTemporaryDirectory()
  const program = join(path, 'fanOutFloor')
  const source = fileURLToPath(new URL('native/fanOutFloor.c', import.meta.url))
  if (spawnSync('cc', ['-O2', '-o', program, source], { stdio: 'ignore' }).status === 0) return { program, remove }
  remove()
  return null
}

/** A program that answers lines with lines. */
export type LineProgram = { write(line: string): void; next(): Promise<string>; stop(): Promise<void> }

/** Starts a program and passes it the connections, which are closed in this process. */
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
      if (done) throw new TypeError('The program ended before its answer.')
      return value
    },
    async stop() {
      stdin.end()
      await exited
    },
  }
}
