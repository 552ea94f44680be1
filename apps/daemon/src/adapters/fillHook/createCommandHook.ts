import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { HookError } from '../../errors.ts'

/** How much of what a program has written to its standard error is kept for the log, in characters. */
const longestWords = 1_000

/**
 * A hook that is a program: it is run without a shell, gets the notice as one line of JSON on its standard input, and has done
 * its work when it ends with exit code 0. Its environment has nothing of the daemon's own: neither its variables nor the folder
 * of the secrets that systemd gives.
 *
 * @param command the program and its arguments.
 * @param setting the setting that names it, for errors.
 */
export function createCommandHook(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  setting = 'hooks.onFilled',
): (notice: object, signal: AbortSignal) => Promise<void> {
  const env = withoutOwn(environment)
  return async (notice, signal) => {
    // A group of its own, so that it ends with whatever it has started.
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'ignore', 'pipe'] })
    const words = keepLast(child.stderr)
    const end = () => endGroup(child)
    signal.addEventListener('abort', end)
    try {
      // It may end without having read its input.
      child.stdin.on('error', () => {})
      child.stdin.end(`${JSON.stringify(notice)}\n`)
      if (signal.aborted) end()
      // Not `close`: what it leaves in the background may hold its outputs for ever.
      const [code, by] = (await once(child, 'exit')) as [number | null, string | null]
      if (code === 0) return
      const how = code === null ? `was ended by ${by}` : `has ended with exit code ${code}`
      throw new HookError(`The program of ${setting} ${how}.`, { details: words() })
    } catch (cause) {
      if (cause instanceof HookError) throw cause
      const { code } = cause as NodeJS.ErrnoException
      throw new HookError(`The program of ${setting} could not be started (${code}).`, { cause })
    } finally {
      signal.removeEventListener('abort', end)
      child.stderr.destroy()
    }
  }
}

function withoutOwn(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  const isOwn = (name: string) => name.startsWith('FIRMQUOTE_') || name === 'CREDENTIALS_DIRECTORY'
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOwn(name)))
}

function keepLast(stream: Readable): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('error', () => {})
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-longestWords)
  })
  return () => text.trim()
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
