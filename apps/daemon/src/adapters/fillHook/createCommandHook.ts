import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { HookError } from '../../errors.ts'

/** Maximum number of characters of the program's standard error kept for the log. */
const maxOutputLength = 1_000

/**
 * Creates a hook that runs a program without a shell. The program reads the notice as one line of JSON from standard
 * input and reports success with exit code 0. The program's environment excludes the daemon's variables and systemd's
 * credentials directory.
 *
 * @param command the program and its arguments.
 * @param setting name of the hook's setting, for error messages.
 */
export function createCommandHook(
  [program = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  setting = 'hooks.onFilled',
): (notice: object, signal: AbortSignal) => Promise<void> {
  const env = withoutOwn(environment)
  return async (notice, signal) => {
    // Start a separate process group, so that the program's children are killed with it.
    const child = spawn(program, args, { env, detached: true, stdio: ['pipe', 'ignore', 'pipe'] })
    const words = keepLast(child.stderr)
    const end = () => endGroup(child)
    signal.addEventListener('abort', end)
    try {
      // The program may exit without reading its input.
      child.stdin.on('error', () => {})
      child.stdin.end(`${JSON.stringify(notice)}\n`)
      if (signal.aborted) end()
      // Wait for `exit`, not `close`: a background child may keep the output streams open forever.
      const [code, by] = (await once(child, 'exit')) as [number | null, string | null]
      if (code === 0) return
      const how = code === null ? `was killed by ${by}` : `exited with code ${code}`
      throw new HookError(`The ${setting} program ${how}.`, { details: words() })
    } catch (cause) {
      if (cause instanceof HookError) throw cause
      const { code } = cause as NodeJS.ErrnoException
      throw new HookError(`The ${setting} program failed to start (${code}).`, { cause })
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
    text = (text + chunk).slice(-maxOutputLength)
  })
  return () => text.trim()
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Ignore the error, because the process group has already exited.
  }
}
