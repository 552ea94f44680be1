import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A program of ours that runs as its own process. */
export type Program = {
  child: ChildProcess
  /** All that it has written to both outputs. */
  output(): string
  /** Waits for a text in its output, and gives the groups of the match. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>
}

/** Starts a program with this environment and no other. */
export function startProgram(file: string, args: readonly string[], env: Record<string, string>): Program {
  const child = spawn(process.execPath, [file, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of [...listeners]) listener()
  }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      wake()
    })
  }
  const ended = once(child, 'close').then(([code]) => {
    wake()
    return code as number | null
  })
  return {
    child,
    output: () => text,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(text)
          if (found) resolve(found)
          else if (child.exitCode !== null || child.signalCode !== null) {
            reject(new TypeError(`It ended without saying ${pattern}:\n${text}`))
          } else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
      }),
  }
}
