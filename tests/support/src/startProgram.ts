import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { watchOutput } from './watchOutput.ts'

/** A program from this repository, running in a separate process. */
export type Program = ReturnType<typeof startProgram>

/** Source entry file of an app: `server`, `daemon` or `cli`. */
export function programOf(app: string): string {
  return fileURLToPath(new URL(`../../../apps/${app}/src/main.ts`, import.meta.url))
}

/**
 * Environment that runs a program from source. The compile cache and the bundled libraries reduce the program's startup
 * time.
 */
export function startingEnvironment(): Record<string, string | undefined> {
  const { NODE_COMPILE_CACHE, FIRMQUOTE_PEERS, FIRMQUOTE_LIBRARIES: folder } = process.env
  const useBundled = new URL('../../../scripts/useBundled.mjs', import.meta.url)
  useBundled.search = folder === undefined ? '' : encodeURIComponent(folder)
  const options = ['--conditions=@firmquote/source', ...(folder === undefined ? [] : [`--import=${useBundled}`])]
  return { NODE_COMPILE_CACHE, FIRMQUOTE_PEERS, NODE_OPTIONS: options.join(' ') }
}

/**
 * Starts a program with only this environment, `PATH` and the variables from `startingEnvironment`. Its standard input
 * remains open.
 */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  nodeFlags: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...nodeFlags, file, ...args], {
    env: { PATH: process.env['PATH'], ...startingEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // The program may exit before it reads its input.
  child.stdin.on('error', () => {})
  const watched = watchOutput(child)
  return {
    ...watched,
    child,
    /** Sends a signal, SIGTERM by default, and waits for the process to end. Resumes a paused process first. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      for (const name of ['SIGCONT', signal] as const) child.kill(name)
      await watched.ended
    },
  }
}
