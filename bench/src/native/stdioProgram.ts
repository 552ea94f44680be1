import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'

/** A program that answers lines with lines. */
export type StdioProgram = {
  write(line: string): void
  /** The next line of its output; rejects when it has ended. */
  next(): Promise<string>
  stop(): Promise<void>
}

/** Starts a program and passes it the connections, which are closed in this process. */
export function startStdioProgram(program: string, args: string[], connections: Socket[]): StdioProgram {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit', ...connections] })
  for (const connection of connections) connection.destroy()
  return linesOf(child)
}

function linesOf(child: ChildProcess): StdioProgram {
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
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      stdin.end()
      await gone
    },
  }
}
