import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { type WatchedOutput, watchOutput } from './watchOutput.ts'

/** A program of this repository that runs as its own process. */
export type Program = WatchedOutput & {
  child: ChildProcessByStdio<Writable, Readable, Readable>
  /** Sends a signal, SIGTERM by default, also to a process that is paused, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<void>
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
  const watched = watchOutput(child)
  return {
    ...watched,
    child,
    async stop(signal = 'SIGTERM') {
      for (const name of ['SIGCONT', signal] as const) child.kill(name)
      await watched.ended
    },
  }
}
