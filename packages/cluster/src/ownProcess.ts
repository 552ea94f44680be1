import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** The user and group that a program runs as; empty for those of this process. */
export type RunAs = { uid?: number; gid?: number }

/** A program that runs until it is stopped, killed or fails. */
export type OwnProcess = {
  pid: number
  /** What it has written to both outputs, the last 64 KiB. */
  output(): string
  /** Resolves when it has ended, to its exit code or signal. */
  ended: Promise<number | string>
  /** Sends a signal and waits for the end, unless the signal is one that ends nothing. */
  kill(signal: NodeJS.Signals): Promise<void>
}

/** What a program may be started with beside its arguments. */
export type OwnProcessOptions = {
  /** Its environment; by default PATH, in English and UTC. */
  env?: Readonly<Record<string, string | undefined>>
  /** Gets each line that it writes to either output. */
  onLine?: (line: string) => void
}

const keptOutput = 65_536
const harmless: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGHUP']

/**
 * Starts a program. It ends with this process, however that ends. It has a process group of its own: Ctrl-C in a terminal
 * reaches this process alone, which then decides the order of things.
 */
export function startOwnProcess(
  file: string,
  args: readonly string[],
  as: RunAs,
  cwd: string,
  { env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }, onLine }: OwnProcessOptions = {},
): OwnProcess {
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
    output: () => text,
    ended,
    async kill(signal) {
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
  const shell: ChildProcess = spawn('/bin/sh', ['-c', script, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.on('error', () => {})
  shell.stdin?.on('error', () => {})
  shell.unref()
  return () => shell.stdin?.end('\n')
}

/**
 * Whom to run a program as that refuses to run as root, or should not: this process's own user, or, if that is root, the one
 * that PostgreSQL's package makes, or nobody.
 *
 * @throws {Error} when this runs as root and there is no such user.
 */
export function unprivileged(): RunAs {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string, name: string) =>
    Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) }
    } catch {
      // There is no such user.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no user `nobody` to run it as.')
}
