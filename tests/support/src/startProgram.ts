import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** A program of this repository that runs as its own process. */
export type Program = {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** What it has written so far, to each output. */
  text: { readonly out: string; readonly err: string }
  /** All that it has written to both outputs. */
  output(): string
  /** Waits for a text in its output, and gives the groups of the match. */
  says(pattern: RegExp): Promise<RegExpExecArray>
  /** Its exit code; null when a signal ended it. */
  ended: Promise<number | null>
}

/** The entry of an app's program, in its sources: `server`, `daemon`, `cli`. */
export function programOf(app: string): string {
  return fileURLToPath(new URL(`../../../apps/${app}/src/main.ts`, import.meta.url))
}

/** What a program of this repository needs to run from its sources, and to start fast: compiled code and bundled libraries. */
export function startingEnvironment(): Record<string, string | undefined> {
  const { NODE_COMPILE_CACHE, FIRMQUOTE_LIBRARIES: folder } = process.env
  const useBundled = new URL('../../../scripts/useBundled.mjs', import.meta.url)
  useBundled.search = folder === undefined ? '' : encodeURIComponent(folder)
  const options = ['--conditions=@firmquote/source', ...(folder === undefined ? [] : [`--import=${useBundled}`])]
  return { NODE_COMPILE_CACHE, NODE_OPTIONS: options.join(' ') }
}

/** Starts a program with this environment and no other, but what makes its start cheap; its standard input stays open. */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  nodeFlags: readonly string[] = [],
): Program {
  const child = spawn(process.execPath, [...nodeFlags, file, ...args], {
    env: { PATH: process.env['PATH'], ...startingEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // It may end without having read what it was given.
  child.stdin.on('error', () => {})
  const text = { out: '', err: '' }
  let output = ''
  const listeners = new Set<() => void>()
  const wake = () => {
    for (const listener of [...listeners]) listener()
  }
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream.on('data', (chunk: Buffer) => {
      text[name] += chunk.toString()
      output += chunk.toString()
      wake()
    })
  }
  let hasEnded = false
  const ended = once(child, 'close').then(([code]) => {
    hasEnded = true
    wake()
    return code as number | null
  })
  return {
    child,
    text,
    output: () => output,
    ended,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = pattern.exec(output)
          if (found) resolve(found)
          else if (hasEnded) reject(new TypeError(`It ended without saying ${pattern}:\n${output}`))
          else return
          listeners.delete(look)
        }
        listeners.add(look)
        look()
      }),
  }
}
