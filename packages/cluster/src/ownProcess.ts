import { spawn, spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** The user and group that a program runs as; empty for those of this process. */
type RunAs = { uid?: number; gid?: number }

/** A program, and how it is started. */
export type ProgramOptions = {
  file: string
  args: readonly string[]
  cwd: string
  /** By default this process's own user. */
  as?: RunAs
  /** By default `plainEnvironment`. */
  env?: Readonly<Record<string, string | undefined>>
  /** Gets each line that it writes to either output. */
  onLine?: (line: string) => void
}

/** A program that can be started again after it has ended. */
export type Service = ReturnType<typeof createService>

/** A program that runs until it is stopped, killed or fails. */
export type OwnProcess = ReturnType<typeof startOwnProcess>

/** The environment of programs that need nothing: PATH, in English and UTC. */
export const plainEnvironment = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

const keptOutput = 65_536
const startLimitMs = 30_000
const harmless: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGHUP']

/** A service that does not run yet. While it starts, `isReady` is asked every 20 ms; one that rejects says no. */
export function createService(
  name: string,
  options: ProgramOptions,
  isReady: (started: OwnProcess) => Promise<boolean>,
) {
  let running: OwnProcess | undefined
  return {
    /** The process that runs now, or ran last. */
    process(): OwnProcess {
      if (!running) throw new TypeError(`${name} was never started.`)
      return running
    },
    /**
     * Starts it, and waits until it is ready.
     *
     * @throws {Error} when it ends before, or is not ready in time; the message has what it wrote.
     */
    async start(): Promise<void> {
      const started = startOwnProcess(options)
      running = started
      let hasEnded = false
      void started.ended.then(() => {
        hasEnded = true
      })
      for (const end = Date.now() + startLimitMs; !(await isReady(started).catch(() => false)); await sleep(20)) {
        if (!hasEnded && Date.now() < end) continue
        await started.kill('SIGKILL')
        throw new Error(`${name} has not started:\n${started.output()}`)
      }
    },
  }
}

/**
 * Starts a program. It ends with this process, however that ends. It has a process group of its own: Ctrl-C in a terminal
 * reaches this process alone, which then decides the order of things.
 */
function startOwnProcess({ file, args, cwd, as = {}, env = plainEnvironment, onLine }: ProgramOptions) {
  const child = spawn(file, args, { ...as, cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-keptOutput)
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
    /** What it has written to both outputs, the last 64 KiB. */
    output: () => text,
    /** Resolves when it has ended, to its exit code or signal. */
    ended,
    /** Sends a signal and waits for the end, unless the signal is one that ends nothing. */
    async kill(signal: NodeJS.Signals): Promise<void> {
      child.kill(signal)
      if (!harmless.includes(signal)) await ended
    },
  }
}

/**
 * Ends a process when this one is gone, also when it was killed: a shell waits for the end of a pipe that this process holds.
 * SIGQUIT, not SIGKILL, so that PostgreSQL ends its own processes; SIGCONT, since it may be paused.
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
 * Whom to run a program as that refuses to run as root, or should not: this process's own user, or, if that is root, the one
 * that PostgreSQL's package makes, or nobody.
 *
 * @throws {Error} when this runs as root and there is no such user.
 */
export function unprivileged(): RunAs {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [user, group] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }))
    if (user?.status === 0) return { uid: Number(user.stdout), gid: Number(group?.stdout) }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user `nobody` to run it as.')
}

/** Gives files to the user that `unprivileged` names. */
export function giveAway(...paths: readonly string[]): void {
  const { uid, gid } = unprivileged()
  if (uid === undefined || gid === undefined) return
  for (const path of paths) chownSync(path, uid, gid)
}
