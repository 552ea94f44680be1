import { spawn, spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program's user and group. An empty object means this process's user and group. */
type RunAs = { uid?: number; gid?: number }

/** Options for a child process. */
export type ProgramOptions = {
  file: string
  args: readonly string[]
  cwd: string
  /** Default: this process's user. */
  as?: RunAs
  /** Default: `plainEnvironment`. */
  env?: Readonly<Record<string, string | undefined>>
  /** Called with each line of standard output and standard error. */
  onLine?: (line: string) => void
}

/** A program that can be restarted. */
export type Service = ReturnType<typeof createService>

/** A running program. */
export type ManagedProcess = ReturnType<typeof startManagedProcess>

/** Minimal environment: PATH, the C locale and UTC. */
export const plainEnvironment = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

const maxOutputLength = 65_536
const startTimeoutMs = 30_000
const nonTerminatingSignals: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGHUP']

/**
 * Creates a service without starting it. While the service starts, `isReady` is called every 20 ms. A rejected promise
 * counts as not ready.
 */
export function createService(
  name: string,
  options: ProgramOptions,
  isReady: (started: ManagedProcess) => Promise<boolean>,
) {
  let running: ManagedProcess | undefined
  return {
    /** The current process, or the last one if none is running. */
    process(): ManagedProcess {
      if (!running) throw new TypeError(`${name} was never started.`)
      return running
    },
    /**
     * Starts the service and waits until it is ready.
     *
     * @throws {Error} if the process exits first or is not ready in time. The message includes its output.
     */
    async start(): Promise<void> {
      const started = startManagedProcess(options)
      running = started
      let hasEnded = false
      void started.ended.then(() => {
        hasEnded = true
      })
      for (const end = Date.now() + startTimeoutMs; !(await isReady(started).catch(() => false)); await sleep(20)) {
        if (!hasEnded && Date.now() < end) continue
        await started.kill('SIGKILL')
        throw new Error(`${name} failed to start:\n${started.output()}`)
      }
    },
  }
}

/**
 * Starts a program that ends when this process ends, for whatever reason. The program has a separate process group, so
 * that Ctrl-C in a terminal reaches only this process, which controls the shutdown order.
 */
function startManagedProcess({ file, args, cwd, as = {}, env = plainEnvironment, onLine }: ProgramOptions) {
  const child = spawn(file, args, { ...as, cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-maxOutputLength)
    })
    if (onLine) createInterface({ input: stream }).on('line', onLine)
  }
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const releaseGuard = child.pid === undefined ? () => {} : guardAgainstOrphan(child.pid)
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => {
      text += `${error.message}\n`
      if (child.pid === undefined) resolve(error.message)
    })
    child.once('close', (code, signal) => resolve(signal ?? code ?? 1))
  }).finally(() => {
    process.off('exit', endWithUs)
    releaseGuard()
  })
  return {
    pid: child.pid ?? -1,
    /** The last 64 KiB of the program's output. */
    output: () => text,
    /** Resolves to the exit code or signal when the process has ended. */
    ended,
    /** Sends a signal. If the signal terminates the process, waits for it to exit. */
    async kill(signal: NodeJS.Signals): Promise<void> {
      child.kill(signal)
      if (!nonTerminatingSignals.includes(signal)) await ended
    },
  }
}

/**
 * Ends a process when this process ends, even on `kill -9`. A shell waits until a pipe held by this process closes. It
 * then sends SIGQUIT rather than SIGKILL, so that PostgreSQL ends its child processes, and SIGCONT in case the process
 * is paused.
 */
function guardAgainstOrphan(pid: number): () => void {
  const script = 'read -r _ || { kill -QUIT "$0"; kill -CONT "$0"; }'
  const args = ['-c', script, String(pid)]
  const shell = spawn('/bin/sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.on('error', () => {})
  shell.stdin.on('error', () => {})
  shell.unref()
  return () => shell.stdin.end('\n')
}

/**
 * Returns the user for programs that refuse to run as root: this process's user, or `postgres` or `nobody` if that is
 * root.
 *
 * @throws {Error} if this process runs as root and neither user exists.
 */
export function unprivilegedUser(): RunAs {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [user, group] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (user?.status === 0) return { uid: Number(user.stdout), gid: Number(group?.stdout) }
  }
  throw new Error('PostgreSQL does not run as root, and no user `postgres` or `nobody` exists.')
}

/** Gives files to the user returned by `unprivilegedUser`. */
export function chownUnprivileged(...paths: readonly string[]): void {
  const { uid, gid } = unprivilegedUser()
  if (uid === undefined || gid === undefined) return
  for (const path of paths) chownSync(path, uid, gid)
}
