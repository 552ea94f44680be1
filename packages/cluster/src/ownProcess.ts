import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The user and group that a program runs as; empty for those of this process. */
export type RunAs = { uid?: number; gid?: number }

/** A program that runs until it is stopped, killed or fails. */
export type OwnProcess = {
  pid: number
  /** What it has written to both outputs, the last 64 KiB. */
  output(): string
  /** Resolves when it has ended. */
  ended: Promise<void>
  /** Sends a signal and waits for the end, unless the signal is one that ends nothing. */
  kill(signal: NodeJS.Signals): Promise<void>
}

const keptOutput = 65_536
const harmless: readonly NodeJS.Signals[] = ['SIGSTOP', 'SIGCONT', 'SIGHUP']

/** Starts a program. It ends with this process, however that ends, as far as its signals can be caught. */
export function startOwnProcess(file: string, args: readonly string[], as: RunAs, cwd: string): OwnProcess {
  const child: ChildProcess = spawn(file, args, {
    ...as,
    cwd,
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-keptOutput)
    })
  }
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      text += `${error.message}\n`
      resolve()
    })
    child.once('close', () => resolve())
  }).finally(() => process.off('exit', endWithUs))
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

/** A port of 127.0.0.1 that nobody listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new TypeError('A TCP server has an address with a port.')
  return address.port
}
